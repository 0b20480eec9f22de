import { record, text, type Described } from '../schema/schema';

const deviceLoginSchema = record(
  {
    clientId: text('client id of phx; not secret'),
    scopes: text('requested scopes, separated by blanks'),
  },
  {},
  'login with phx',
);

const browserLoginSchema = record(
  {
    loginUrl: text('URL where a browser logs in; `return_to` is the path to open afterwards'),
    name: text('display name of the provider'),
  },
  {},
  'login of browsers with a cookie; absent: API keys only',
);

/** Public information about logging in. */
export const identityViewSchema = record(
  'Identity',
  {},
  {
    provider: record(
      { issuer: text('issuer URL (OpenID Connect)') },
      { device: deviceLoginSchema, browser: browserLoginSchema },
      'identity provider whose tokens the gateway accepts; absent: API keys only',
    ),
  },
  'login methods',
);
export type IdentityView = Described<typeof identityViewSchema>;

export const logoutViewSchema = record(
  'Logout',
  {},
  { provider: text('logout URL of the identity provider; absent: none') },
  'result of a browser logout',
);
export type LogoutView = Described<typeof logoutViewSchema>;
