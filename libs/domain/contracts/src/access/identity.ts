import { record, text, type Described } from '../schema/schema';

const deviceLoginSchema = record(
  {
    clientId: text('what phx calls itself there; no secret'),
    scopes: text('what it asks for, with blanks between them'),
  },
  {},
  'how phx logs people in',
);

const browserLoginSchema = record(
  {
    loginUrl: text('where a browser goes to log in; `return_to` names the path where it goes afterwards'),
    name: text('what people call the provider'),
  },
  {},
  'how browsers log in, with a cookie; absent: with keys alone',
);

/** Public information about logging in. */
export const identityViewSchema = record(
  'Identity',
  {},
  {
    provider: record(
      { issuer: text('its address: an issuer as OpenID Connect has it') },
      { device: deviceLoginSchema, browser: browserLoginSchema },
      'the provider whose tokens open the gateway, beside keys; absent: keys alone',
    ),
  },
  'how people log in',
);
export type IdentityView = Described<typeof identityViewSchema>;

export const logoutViewSchema = record(
  'Logout',
  {},
  { provider: text('where the browser ends its session with the provider itself; absent: nowhere') },
  'how the login of a browser ended',
);
export type LogoutView = Described<typeof logoutViewSchema>;
