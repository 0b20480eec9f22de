import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { anId, useFolder, useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';
import type { Ran, RunOptions } from './scripted-terminal';

describe('phx with keys', () => {
  const configFolder = useFolder();
  let admin: string;
  const phx = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    cli.phx(args, { configFolder, ...options });
  const keyFile = (): string => join(configFolder, 'phenix-fleet/keys.json');
  const made = async (...args: readonly string[]): Promise<string> => {
    const ran = await phx(['admin', 'keys', 'create', ...args], { apiKey: admin });
    return ran.out.trim();
  };
  const cli = useStarted('test', () => CliHarness.start());
  beforeEach(async () => {
    admin = (await phx(['admin', 'keys', 'create', '--owner', 'root', '--role', 'admin'])).out.trim();
  });

  it('reports who can reach a gateway without keys', async () => {
    const open = await CliHarness.start();
    expect((await open.phx(['whoami'])).out).toBe(
      'no user: this gateway has no keys, so anyone who can reach it has full access\nIt listens on this machine only, until the first key exists (phx admin keys create) and it is restarted.\n',
    );
    await open.stop();
  });

  it('creates a key, which is required from then on', async () => {
    expect(admin).toMatch(/^phx_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    const refused = await phx(['list']);
    expect([refused.code, refused.err.includes('phx login --key')]).toEqual([3, true]);
    expect((await phx(['list'], { apiKey: admin })).code).toBe(0);
  });

  it('prints the link of the wall with a kiosk key', async () => {
    const screen = ['--owner', 'hutch', '--role', 'kiosk', '--beamline', 'i04'];
    const { out, err } = await phx(['admin', 'keys', 'create', ...screen], { apiKey: admin });
    expect(err).toContain(`${cli.url}/ui/wall#key=${out.trim()}\n`);
    const user = await phx(['admin', 'keys', 'create', '--owner', 'ada', '--role', 'user'], { apiKey: admin });
    expect(user.err).not.toContain('/ui/wall');
  });

  it('stores a key in a file that only its owner can read, for one gateway', async () => {
    const ada = await made('--owner', 'ada', '--role', 'user', '--proposal', 'mx1', 'mx2', '--days', '7');
    const login = await phx(['login', '--key'], { secret: ada });
    expect([login.code, login.out.includes(ada)]).toEqual([0, false]);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(keyFile(), 'utf8'))).toEqual({ [cli.url]: ada });
    expect((await phx(['whoami'])).out).toBe('ada (user)\nproposals: mx1, mx2\nmay: read, decide, submit, change\n');
    await phx(['logout']);
    expect((await phx(['whoami'])).code).toBe(3);
  });

  it('does not store an invalid key, and uses none that others can read', async () => {
    expect((await phx(['login', '--key'], { secret: 'phx_wrong' })).code).toBe(3);
    expect((await phx(['login', '--key'], { secret: '' })).code).toBe(2);
    expect((await phx(['login'])).code).toBe(2);
    await phx(['login', '--key'], { secret: admin });
    chmodSync(keyFile(), 0o644);
    const refused = await phx(['list']);
    expect([refused.code, refused.err.includes('chmod 600')]).toEqual([2, true]);
    expect((await phx(['list'], { apiKey: 'two\nlines' })).code).toBe(2);
  });

  it('lists keys without their secrets, and revokes them', async () => {
    const ada = await made(
      '--owner',
      'ada',
      '--role',
      'staff',
      '--beamline',
      'i04',
      '--scope',
      'read',
      '--label',
      'desk',
    );
    const listed = await phx(['admin', 'keys', 'list'], { apiKey: admin });
    expect(listed.out).toMatch(/ada +staff +i04 +read +until .* never +desk/);
    expect(listed.out).not.toContain(ada);
    const id = ada.slice(4, 20);
    expect((await phx(['admin', 'keys', 'revoke', id], { apiKey: admin })).out).toContain(`key ${id} of ada: revoked`);
    expect((await phx(['list'], { apiKey: ada })).err).toContain('was revoked on');
    expect((await phx(['admin', 'keys', 'revoke', 'x'], { apiKey: admin })).code).toBe(4);
  });

  it('submits as the owner of the key', async () => {
    const ada = await made('--owner', 'ada', '--role', 'user', '--proposal', 'mx1');
    const file = cli.gateway.file('a.sca');
    const submitted = await phx(['--json', 'submit', file, '--proposal', 'mx1'], { apiKey: ada });
    expect(JSON.parse(submitted.out)).toMatchObject({ request: { submitter: 'ada' } });
    expect((await phx(['submit', file], { apiKey: ada })).err).toContain('ada may not submit to proposal none');
    expect((await phx(['show', anId()], { apiKey: ada })).code).toBe(4);
  });
});
