import { problemsOf } from './fixtures/problems-of';
import { browserLoginOf, type BrowserLoginSettings } from './browser-login';
import { BrowserLoginConfig } from './browser-login-section';
import { loadConfig } from './load-config';
import { NotificationsConfig } from './notification-sections';
import { OidcConfig } from './oidc-section';

const read = (env: Readonly<Record<string, string>>): BrowserLoginSettings | undefined =>
  browserLoginOf(
    loadConfig(BrowserLoginConfig, env),
    loadConfig(OidcConfig, env),
    loadConfig(NotificationsConfig, env),
  );
const provider = { FLEET_OIDC_ISSUER: 'https://sso.example/realms/x', FLEET_OIDC_AUDIENCE: 'fleet' };
const login = { ...provider, FLEET_OIDC_CLIENT_ID: 'gateway', FLEET_PUBLIC_URL: 'https://fleet.example.org/mx/' };

describe('the configuration of browser logins', () => {
  it('is undefined without a client name', () => {
    expect([read({}), read(provider)]).toEqual([undefined, undefined]);
  });

  it('has defaults: an hour idle, half a day in total, and a return URL below the public one', () => {
    expect(read(login)).toEqual({
      issuer: 'https://sso.example/realms/x',
      providerName: 'sso.example',
      clientId: 'gateway',
      clientSecret: undefined,
      scopes: 'openid profile',
      publicUrl: 'https://fleet.example.org/mx',
      idleMs: 3_600_000,
      longestMs: 43_200_000,
    });
    expect(read({ ...login, FLEET_OIDC_NAME: 'Example Light Source', FLEET_OIDC_CLIENT_SECRET: 's' })).toMatchObject({
      providerName: 'Example Light Source',
      clientSecret: 's',
    });
  });

  it.each([
    [{ ...login, FLEET_PUBLIC_URL: '' }, 'FLEET_PUBLIC_URL', 'is missing'],
    [{ ...login, FLEET_PUBLIC_URL: 'http://fleet.example.org' }, 'FLEET_PUBLIC_URL', 'is not https'],
    [{ FLEET_OIDC_CLIENT_ID: 'gateway' }, 'FLEET_OIDC_CLIENT_ID', 'FLEET_OIDC_ISSUER is not'],
    [{ ...provider, FLEET_OIDC_CLIENT_SECRET: 's' }, 'FLEET_OIDC_CLIENT_SECRET', 'FLEET_OIDC_CLIENT_ID is not'],
    [{ ...provider, FLEET_OIDC_NAME: 'x' }, 'FLEET_OIDC_NAME', 'FLEET_OIDC_CLIENT_ID is not'],
    [{ ...login, FLEET_OIDC_BROWSER_SCOPES: 'profile' }, 'FLEET_OIDC_BROWSER_SCOPES', 'wrong form'],
    [{ ...login, FLEET_LOGIN_HOURS: '0' }, 'FLEET_LOGIN_HOURS', 'smaller than 1'],
  ])('rejects %j', (env, variable, reason) => {
    expect(problemsOf(() => read(env))).toMatchObject([
      { variable, reason: expect.stringContaining(reason) as string },
    ]);
  });
});
