import { IntegerVariable, TextVariable } from './variable.decorator';

/** Browser logins at the identity provider. Read only by the gateway. */
export class BrowserLoginConfig {
  @TextVariable('FLEET_OIDC_CLIENT_ID', {
    what: 'what the gateway calls itself at the provider when a browser logs in (authorization code with PKCE); needs FLEET_PUBLIC_URL. Without it browsers log in with keys alone',
    optional: true,
    pattern: /^[\x21-\x7e]{1,200}$/,
    allowed: 'one word of ASCII characters',
  })
  readonly clientId?: string;

  @TextVariable('FLEET_OIDC_CLIENT_SECRET', {
    what: 'its secret there; without one the client is public, and PKCE alone protects a login on its way',
    optional: true,
    secret: true,
    pattern: /^[\x20-\x7e]{1,500}$/,
    allowed: 'one line of ASCII characters',
  })
  readonly clientSecret?: string;

  @TextVariable('FLEET_OIDC_NAME', {
    what: "what the login page calls the provider; without it the name of the issuer's machine",
    optional: true,
    pattern: /^[^\p{Cc}]{1,60}$/u,
    allowed: 'one line of at most 60 characters',
  })
  readonly name?: string;

  @TextVariable('FLEET_OIDC_BROWSER_SCOPES', {
    what: 'what logins of browsers ask the provider for, with blanks between them. Some providers renew a login only with `offline_access`; at others a login then outlives the one at the provider',
    default: 'openid profile',
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    allowed: 'words with single blanks between them, openid among them',
    holds: (text) => text.split(' ').includes('openid'),
  })
  readonly scopes: string;

  @IntegerVariable('FLEET_LOGIN_IDLE_MINUTES', {
    what: 'minutes after which the login of a browser ends that nobody uses; an open page of the dashboard uses it',
    default: '60',
    min: 5,
    max: 1440,
  })
  readonly idleMinutes: number;

  @IntegerVariable('FLEET_LOGIN_HOURS', {
    what: 'hours after which every login of a browser ends',
    default: '12',
    min: 1,
    max: 168,
  })
  readonly hours: number;
}
