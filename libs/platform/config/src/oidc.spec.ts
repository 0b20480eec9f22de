import { problemsOf } from './fixtures/problems-of';
import { loadConfig } from './load-config';
import { oidcOf, type OidcSettings } from './oidc';
import { OidcConfig } from './oidc-section';

const read = (env: Readonly<Record<string, string>>): OidcSettings | undefined => oidcOf(loadConfig(OidcConfig, env));
const provider = { FLEET_OIDC_ISSUER: 'https://sso.example/realms/x', FLEET_OIDC_AUDIENCE: 'fleet' };

describe('the configuration of the identity provider', () => {
  it('is undefined by default', () => {
    expect(read({})).toBeUndefined();
  });

  it('has default claims and algorithms', () => {
    expect(read(provider)).toEqual({
      issuer: 'https://sso.example/realms/x',
      audience: 'fleet',
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      scopes: 'openid profile offline_access',
      claims: {
        owner: ['preferred_username'],
        groups: ['groups'],
        proposals: { claim: ['proposals'], prefix: '' },
        beamlines: { claim: ['beamlines'], prefix: '' },
        roles: {},
      },
    });
    const rules = '{"proposals": {"prefix": "/mx/"}, "roles": {"admin": ["a"]}}';
    expect(read({ ...provider, FLEET_OIDC_CLAIMS: rules, FLEET_OIDC_ALGORITHMS: 'ES256, RS512' })).toMatchObject({
      algorithms: ['ES256', 'RS512'],
      claims: { proposals: { claim: ['proposals'], prefix: '/mx/' }, roles: { admin: ['a'] } },
    });
  });

  it.each(['http://127.0.0.1:9000', 'http://localhost:9000/x', 'http://[::1]:9000', 'https://sso.example/'])(
    'may be at %s',
    (issuer) => {
      expect(read({ ...provider, FLEET_OIDC_ISSUER: issuer })?.issuer).toBe(issuer);
    },
  );

  it.each([
    'http://sso.example',
    'http://127.0.0.1.evil.example',
    'https://user@sso.example',
    'https://sso.example/?x=1',
    'https://sso.example/#x',
    'sso.example',
    'file:///etc/passwd',
  ])('may not be at %s', (issuer) => {
    expect(problemsOf(() => read({ ...provider, FLEET_OIDC_ISSUER: issuer }))).toMatchObject([
      { variable: 'FLEET_OIDC_ISSUER' },
    ]);
  });

  it.each(['none', 'HS256', 'RS256,HS256', ',', 'rs256'])('rejects the algorithm %j', (algorithms) => {
    expect(problemsOf(() => read({ ...provider, FLEET_OIDC_ALGORITHMS: algorithms }))).toMatchObject([
      { variable: 'FLEET_OIDC_ALGORITHMS' },
    ]);
  });

  it.each([
    [{ FLEET_OIDC_ISSUER: 'https://sso.example' }, 'FLEET_OIDC_AUDIENCE', 'tokens for any other service'],
    [{ FLEET_OIDC_AUDIENCE: 'fleet' }, 'FLEET_OIDC_AUDIENCE', 'FLEET_OIDC_ISSUER is not'],
    [{ FLEET_OIDC_DEVICE_CLIENT: 'phx' }, 'FLEET_OIDC_DEVICE_CLIENT', 'FLEET_OIDC_ISSUER is not'],
    [{ ...provider, FLEET_OIDC_SCOPES: 'profile' }, 'FLEET_OIDC_SCOPES', 'wrong form'],
    [{ FLEET_OIDC_CLAIMS: '{"owner": ["sub"]}' }, 'FLEET_OIDC_CLAIMS', 'FLEET_OIDC_ISSUER is not'],
    [{ ...provider, FLEET_OIDC_CLAIMS: '{' }, 'FLEET_OIDC_CLAIMS', 'wrong form'],
    [{ ...provider, FLEET_OIDC_CLAIMS: '{x}' }, 'FLEET_OIDC_CLAIMS', 'is not JSON'],
    [{ ...provider, FLEET_OIDC_CLAIMS: '{"owner": "sub"}' }, 'FLEET_OIDC_CLAIMS', 'owner must be'],
    [{ ...provider, FLEET_OIDC_CLAIMS: '{"roles": {"king": []}}' }, 'FLEET_OIDC_CLAIMS', 'roles.king is not known'],
  ])('rejects %j', (env, variable, reason) => {
    expect(problemsOf(() => read(env))).toMatchObject([
      { variable, reason: expect.stringContaining(reason) as string },
    ]);
  });
});
