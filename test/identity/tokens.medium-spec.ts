import { createHmac, createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWTPayload } from 'jose';
import { claimMappingSchema, type ClaimMapping } from '@fleet/contracts/access';
import { withDefaults } from '@fleet/contracts/schema';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { ManualClock, useStarted } from '@fleet/testing';
import { IdentityProvider } from '../../apps/gateway/src/auth/identity/identity-provider';
import { ProviderTokens } from '../../apps/gateway/src/auth/identity/token-reader';
import { GatewayHarness, type JsonAnswer } from '../api/gateway-harness';
import { aSigningKey, audience, forged, LocalProvider, unsigned } from './provider-harness';

const claims = withDefaults(claimMappingSchema, {
  roles: { admin: ['fleet-admins'], staff: ['fleet-staff'] },
}) as ClaimMapping;
const minute = 60_000;

describe('tokens of an identity provider', () => {
  const provider = useStarted('file', () => LocalProvider.start());
  let clock: ManualClock;
  const gateway = useStarted('test', () => {
    // To the second, as times of tokens are.
    clock = new ManualClock(Math.floor(Date.now() / 1000) * 1000);
    return GatewayHarness.start({
      tokens: readerOf(provider.issuer),
      members: {
        proposalsOf: (owner) => Promise.resolve(owner === 'ada' ? ['mx9'] : []),
        beamlinesOf: () => Promise.resolve([]),
      },
    });
  });
  const readerOf = (issuer: string): ProviderTokens =>
    new ProviderTokens(
      { issuer, audience, algorithms: ['RS256', 'ES256'], claims, scopes: 'openid' },
      new IdentityProvider(issuer, clock),
      clock,
    );

  const me = (token: string): Promise<JsonAnswer> => gateway.get('/v1/me', { authorization: `Bearer ${token}` });
  const statusAndProblem = (answer: JsonAnswer): readonly unknown[] => {
    const { code, detail } = answer.json() as ProblemDetails;
    return [answer.status, code, detail];
  };
  const refused = (detail: string): readonly unknown[] => [
    401,
    'access.bad_credentials',
    expect.stringContaining(detail) as unknown,
  ];
  const away = [503, 'access.provider_unavailable', expect.stringContaining('API keys still work') as unknown];
  const now = (): number => Math.floor(clock.now() / 1000);
  const usual = (): JWTPayload => ({
    iss: provider.issuer,
    aud: audience,
    iat: now(),
    exp: now() + 300,
    preferred_username: 'ada',
  });

  it('say who somebody is, and the file of members adds its proposals', async () => {
    const token = await provider.token({
      preferred_username: 'ada',
      groups: ['fleet-staff'],
      proposals: ['mx1'],
      beamlines: ['i04'],
    });
    expect((await me(token)).json()).toEqual({
      id: 'ada',
      role: 'staff',
      proposals: ['mx1', 'mx9'],
      beamlines: ['i04'],
      scopes: ['read', 'decide', 'submit', 'change'],
      timeZone: 'Europe/Paris',
    });
    expect((await me(await provider.token({ preferred_username: 'eve' }))).json()).toMatchObject({
      role: 'user',
      proposals: [],
    });
  });

  it('shut the gateway to everybody else, and leave its health open', async () => {
    const answer = await gateway.get('/v1/sessions');
    expect([...statusAndProblem(answer), answer.headers['www-authenticate']]).toEqual([
      401,
      'access.no_credentials',
      expect.any(String),
      'Bearer realm="phenix-fleet"',
    ]);
    expect((await gateway.get('/health/live')).status).toBe(200);
  });

  it('open what keys open beside them, and a first key need not be an administrator’s', async () => {
    const admin = {
      authorization: `Bearer ${await provider.token({ preferred_username: 'root', groups: ['fleet-admins'] })}`,
    };
    const made = await gateway.send('POST', '/v1/admin/keys', { body: { owner: 'bob', role: 'user' }, headers: admin });
    expect(made.status).toBe(201);
    const { key } = made.json() as { key: string };
    expect((await me(key)).json()).toMatchObject({ id: 'bob' });
  });

  it('are refused with the reason, in words and for programs', async () => {
    const answer = await me(await forged(provider.key, { ...usual(), exp: now() - 3600 }));
    expect(statusAndProblem(answer)).toEqual(refused('expired 3600 s ago'));
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="phenix-fleet", error="invalid_token", error_description="The token expired 3600 s ago, by the clock of this gateway. Ask the provider for a new one."',
    );
  });

  it.each([
    ['of a foreign issuer', { iss: 'https://evil.example' }, 'not from the identity provider of this gateway'],
    ['for another audience', { aud: 'account' }, 'was made for "account", not for this gateway'],
    ['for a list of others', { aud: ['account', 'x'] }, 'was made for a list, not for this gateway'],
    ['without an audience', { aud: undefined }, 'does not have the claim aud'],
    ['without an end', { exp: undefined }, 'does not have the claim exp'],
    ['whose end is text', { exp: '2099-01-01' }, 'invalid claim exp'],
    ['that is an ID token', { nonce: 'x' }, 'is an ID token'],
    ['that says it is one', { typ: 'ID' }, 'not an access token'],
    ['that says it refreshes', { typ: 'Refresh' }, 'not an access token'],
    ['that is bound to a key', { cnf: { jkt: 'x' } }, 'is bound to a key or certificate'],
    ['of nobody', { preferred_username: undefined }, 'The claim preferred_username (owner): is missing'],
    ['of a hostile name', { preferred_username: '../root' }, '"../root" is not allowed'],
    ['of hostile proposals', { proposals: ['mx1', '../mx2'] }, '"../mx2" is not allowed'],
  ])('are refused %s', async (_, change, why) => {
    expect(statusAndProblem(await me(await forged(provider.key, { ...usual(), ...change } as JWTPayload)))).toEqual(
      refused(why),
    );
  });

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt'])('are refused of the type %s', async (typ) => {
    expect(statusAndProblem(await me(await forged(provider.key, usual(), { typ })))).toEqual(
      refused('not an access token'),
    );
  });

  it.each(['JWT', 'at+jwt', 'application/at+jwt'])('are taken of the type %s', async (typ) => {
    expect((await me(await forged(provider.key, usual(), { typ }))).status).toBe(200);
  });

  it('are refused without a signature, with another’s, and with what is not a secret', async () => {
    expect(statusAndProblem(await me(unsigned({ alg: 'none', typ: 'at+jwt' }, usual())))).toEqual(
      refused('not signed with an accepted algorithm'),
    );
    const stranger = { ...aSigningKey('first', 'RS256') };
    expect(statusAndProblem(await me(await forged(stranger, usual())))).toEqual(refused('has an invalid signature'));
    const pem = createPublicKey({ key: { ...provider.key }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const signed = unsigned({ alg: 'HS256', typ: 'at+jwt', kid: 'first' }, usual()).slice(0, -1);
    const confused = `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
    expect(statusAndProblem(await me(confused))).toEqual(refused('not signed with an accepted algorithm'));
    const own = await forged(aSigningKey('mine'), usual(), { jwk: { kty: 'EC' }, jku: 'https://evil.example/keys' });
    expect(statusAndProblem(await me(own))).toEqual(refused('a key that the provider does not publish'));
    expect(statusAndProblem(await me(`${(await forged(provider.key, usual())).slice(0, -8)}AAAAAAAA`))).toEqual(
      refused('signature'),
    );
    expect((await me('a.b.c')).status).toBe(401);
    expect((await me(`${'a'.repeat(7000)}.b.c`)).status).toBe(401);
  });

  it('are borne a minute beyond their times and no two, whichever clock is wrong', async () => {
    const at = async (exp: number, nbf: number): Promise<readonly unknown[]> => {
      const answer = await me(await forged(provider.key, { ...usual(), exp: now() + exp, nbf: now() + nbf }));
      return answer.status === 200 ? [200] : statusAndProblem(answer);
    };
    expect(await at(-59, -300)).toEqual([200]);
    expect(await at(-60, -300)).toEqual(refused('expired 60 s ago'));
    expect(await at(300, 60)).toEqual([200]);
    expect(await at(300, 61)).toEqual(refused('not valid before 61 s from now'));
    const token = await provider.token({ preferred_username: 'ada' });
    clock.forward(-2 * minute);
    expect(statusAndProblem(await me(token))).toEqual(refused('its clock or the provider'));
    clock.forward(4 * minute);
    expect((await me(token)).status).toBe(200);
    clock.forward(5 * minute);
    expect(statusAndProblem(await me(token))).toEqual(refused('expired'));
  });

  it('are read when the provider has changed its key, and those of the old key no longer', async () => {
    const old = await provider.token({ preferred_username: 'ada' });
    expect((await me(old)).status).toBe(200);
    await provider.state({ keys: [aSigningKey('second')] });
    const fresh = await provider.token({ preferred_username: 'ada' });
    clock.forward(31_000);
    expect((await me(fresh)).status).toBe(200);
    expect(statusAndProblem(await me(old))).toEqual(refused('a key that the provider does not publish'));
    await provider.state({ keys: [provider.key] });
  });

  it('do not make the gateway ask its provider for each key that is made up', async () => {
    let questions = 0;
    const server = createServer((request, response) => {
      questions += 1;
      const issuer = `http://${request.headers.host ?? ''}`;
      const keys = {
        keys: [
          { ...createPublicKey({ key: { ...provider.key }, format: 'jwk' }).export({ format: 'jwk' }), kid: 'first' },
        ],
      };
      response.end(JSON.stringify(request.url === '/keys' ? keys : { issuer, jwks_uri: `${issuer}/keys` }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const tokens = readerOf(issuer);
    expect(await tokens.principalOf(await forged(provider.key, { ...usual(), iss: issuer }))).toMatchObject({
      id: 'ada',
    });
    expect(questions).toBe(2);
    for (const kid of ['x', 'y', 'z']) {
      const token = await forged(aSigningKey(kid), { ...usual(), iss: issuer });
      await expect(tokens.principalOf(token)).rejects.toThrow('does not publish');
    }
    expect(questions).toBe(2);
    clock.forward(31_000);
    const token = await forged(aSigningKey('x'), { ...usual(), iss: issuer });
    await Promise.allSettled(Array.from({ length: 20 }, () => tokens.principalOf(token)));
    expect(questions).toBe(4);
    server.close();
  });

  it('wait for a provider that is down when the gateway starts; keys do not', async () => {
    const token = await provider.token({ preferred_username: 'ada' });
    await provider.stop();
    expect(statusAndProblem(await me(token))).toEqual(away);
    expect((await me(token)).headers['retry-after']).toBe('2');
    await provider.comeBack();
    // Its neighbours do not wait for what was asked just now.
    expect(statusAndProblem(await me(token))).toEqual(away);
    clock.forward(5_000);
    expect((await me(token)).status).toBe(200);
  });

  it('are read for an hour after the provider went away, and again when it is back', async () => {
    expect((await me(await provider.token({ preferred_username: 'ada' }))).status).toBe(200);
    await provider.stop();
    clock.forward(59 * minute);
    expect((await me(await forged(provider.key, usual()))).status).toBe(200);
    clock.forward(2 * minute);
    expect(statusAndProblem(await me(await forged(provider.key, usual())))).toEqual(away);
    await provider.comeBack();
    clock.forward(5_000);
    expect((await me(await forged(provider.key, usual()))).status).toBe(200);
  });

  it.each([
    ['calls itself otherwise', (issuer: string) => ({ issuer: `${issuer}/`, jwks_uri: `${issuer}/keys` })],
    ['sends its keys in the clear', (issuer: string) => ({ issuer, jwks_uri: 'http://keys.example/keys' })],
    ['describes nothing', () => []],
    ['never stops', () => ({ much: 'x'.repeat(600_000) })],
  ])('are not read by what a provider says that %s', async (_, describes) => {
    const server = createServer((request, response) => {
      response.end(JSON.stringify(describes(`http://${request.headers.host ?? ''}`)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const token = await forged(provider.key, { ...usual(), iss: issuer });
    await expect(readerOf(issuer).principalOf(token)).rejects.toMatchObject({ code: 'access.provider_unavailable' });
    server.close();
  });
});
