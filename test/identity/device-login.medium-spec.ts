import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { claimMappingSchema, type ClaimMapping } from '@fleet/contracts/access';
import { withDefaults } from '@fleet/contracts/schema';
import { systemClock } from '@fleet/ports';
import { useFolder } from '@fleet/testing';
import { IdentityProvider } from '../../apps/gateway/src/auth/identity/identity-provider';
import { ProviderTokens } from '../../apps/gateway/src/auth/identity/token-reader';
import { CliHarness } from '../cli/cli-harness';
import type { Ran, RunOptions } from '../cli/scripted-terminal';
import { audience, LocalProvider } from './provider-harness';

const claims = withDefaults(claimMappingSchema, {}) as ClaimMapping;

describe('phx login at an identity provider', () => {
  let provider: LocalProvider;
  let cli: CliHarness;
  const configFolder = useFolder();
  beforeAll(async () => {
    provider = await LocalProvider.start();
    const { issuer } = provider;
    const settings = {
      issuer,
      audience,
      algorithms: ['RS256'] as const,
      claims,
      deviceClient: 'phx',
      scopes: 'openid profile offline_access',
    };
    const tokens = new ProviderTokens(settings, new IdentityProvider(issuer, systemClock), systemClock);
    cli = await CliHarness.start({ tokens });
  });
  afterAll(async () => {
    await cli.stop();
    await provider.stop();
  });
  beforeEach(async () => {
    await provider.state({ person: 'ada', claims: { ada: { preferred_username: 'ada', proposals: ['mx1'] } } });
  });

  const phx = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    cli.phx(args, { configFolder, ...options });
  const file = (): string => join(configFolder, 'phenix-fleet/logins.json');
  const storedTokens = (): { readonly accessToken: string; readonly refreshToken: string } | undefined =>
    (JSON.parse(readFileSync(file(), 'utf8')) as Record<string, { accessToken: string; refreshToken: string }>)[
      cli.url
    ];
  /** Runs phx login; the person says yes or no to the code that it shows. */
  const login = async (approve: boolean): Promise<Ran> => {
    let decided: Promise<void> | undefined;
    const ran = await phx(['login'], {
      onErr: (text) => {
        const [, code] = /enter the code (\S+)/.exec(text) ?? [];
        if (code !== undefined) decided = provider.decide(code, approve);
      },
    });
    await decided;
    return ran;
  };

  it('keeps the login of whoever agrees, for its owner alone, and renews it, also for two at once', async () => {
    await provider.state({ accessSeconds: 10 });
    const ran = await login(true);
    expect([ran.code, ran.out.split('\n')[0], ran.err.includes(cli.url)]).toEqual([0, 'ada (user)', true]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(ran.out + ran.err).not.toContain(storedTokens()?.accessToken);
    const first = storedTokens();
    const whoami = await Promise.all([phx(['whoami']), phx(['whoami']), phx(['list'])]);
    expect(whoami.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(storedTokens()?.refreshToken).not.toBe(first?.refreshToken);
    await provider.state({ accessSeconds: 300 });
    expect((await phx(['whoami'])).code).toBe(0);
    const renewed = storedTokens();
    expect((await phx(['whoami'])).out).toContain('proposals: mx1');
    expect(storedTokens()).toEqual(renewed);
  });

  it('keeps nothing of who says no, or of whom the gateway does not take', async () => {
    const denied = await login(false);
    expect([denied.code, denied.err.includes('the identity provider refused')]).toEqual([3, true]);
    await provider.state({ claims: { ada: {} } });
    const nobody = await login(true);
    expect([nobody.code, nobody.err.includes('preferred_username')]).toEqual([3, true]);
    expect(() => statSync(file())).toThrow('ENOENT');
  });

  it('takes the login back at the provider, and forgets it', async () => {
    await login(true);
    const refreshToken = storedTokens()?.refreshToken ?? '';
    const ran = await phx(['logout']);
    expect([ran.code, ran.out.includes('is revoked'), storedTokens()]).toEqual([0, true, undefined]);
    const answer = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'phx' }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await phx(['whoami'])).code).toBe(3);
  });

  it('says when a login has ended, and when the provider is away, and forgets it all the same', async () => {
    await provider.state({ accessSeconds: 10 });
    await login(true);
    await provider.stop();
    const away = await phx(['whoami']);
    expect([away.code, away.err.includes('is unavailable')]).toEqual([5, true]);
    // What it knew it has forgotten: the login is none any more.
    await provider.comeBack();
    const ended = await phx(['whoami']);
    expect([ended.code, ended.err.includes('the login has expired'), ended.err.includes('phx login')]).toEqual([
      3,
      true,
      true,
    ]);
    await provider.state({ claims: { ada: { preferred_username: 'ada' } } });
    expect((await login(true)).code).toBe(0);
    await provider.stop();
    expect((await phx(['logout'])).code).toBe(5);
    expect(storedTokens()).toBeUndefined();
    await provider.comeBack();
  });

  it('can be given up with Ctrl-C', async () => {
    const interrupt = new AbortController();
    const ran = await phx(['login'], {
      interrupted: interrupt.signal,
      onErr: (text) => {
        if (text.includes('enter the code')) interrupt.abort();
      },
    });
    expect(ran.code).toBe(130);
  });
});

it('phx login says what else there is where the gateway has no provider', async () => {
  const cli = await CliHarness.start();
  const ran = await cli.phx(['login']);
  expect([ran.code, ran.err.includes('phx login --key')]).toEqual([2, true]);
  await cli.stop();
});
