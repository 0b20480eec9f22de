import { IntegerVariable, TextVariable } from './variable.decorator';

/** Browser logins at the identity provider. Read only by the gateway. */
export class BrowserLoginConfig {
  @TextVariable('FLEET_OIDC_CLIENT_ID', {
    what: 'client id of the gateway for browser logins (authorization code with PKCE); needs FLEET_PUBLIC_URL. Not set: browsers log in with API keys only',
    optional: true,
    pattern: /^[\x21-\x7e]{1,200}$/,
    allowed: 'one word of ASCII characters',
  })
  readonly clientId?: string;

  @TextVariable('FLEET_OIDC_CLIENT_SECRET', {
    what: 'client secret for browser logins. Not set: a public client, protected by PKCE only',
    optional: true,
    secret: true,
    pattern: /^[\x20-\x7e]{1,500}$/,
    allowed: 'one line of ASCII characters',
  })
  readonly clientSecret?: string;

  @TextVariable('FLEET_OIDC_NAME', {
    what: 'display name of the provider on the login page; default: host name of the issuer',
    optional: true,
    pattern: /^[^\p{Cc}]{1,60}$/u,
    allowed: 'one line of at most 60 characters',
  })
  readonly name?: string;

  @TextVariable('FLEET_OIDC_BROWSER_SCOPES', {
    what: 'scopes of browser logins, separated by blanks. Some providers renew a login only with `offline_access`; with others that scope makes the login outlive the one at the provider',
    default: 'openid profile',
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    allowed: 'words separated by single blanks, including openid',
    holds: (text) => text.split(' ').includes('openid'),
  })
  readonly scopes: string;

  @IntegerVariable('FLEET_LOGIN_IDLE_MINUTES', {
    what: 'minutes without use after which a browser login ends; an open dashboard page counts as use',
    default: '60',
    min: 5,
    max: 1440,
  })
  readonly idleMinutes: number;

  @IntegerVariable('FLEET_LOGIN_HOURS', {
    what: 'hours after which a browser login ends in any case',
    default: '12',
    min: 1,
    max: 168,
  })
  readonly hours: number;
}
