import { record, text, type Described } from './schema';

const deviceLoginSchema = record(
  {
    clientId: text('what phx calls itself there; no secret'),
    scopes: text('what it asks for, with blanks between them'),
  },
  {},
  'how phx logs people in',
);

/** What anybody may know of how people log in. */
export const identityViewSchema = record(
  {},
  {
    provider: record(
      { issuer: text('its address: an issuer as OpenID Connect has it') },
      { device: deviceLoginSchema },
      'the provider whose tokens open the gateway, beside keys; absent: keys alone',
    ),
  },
  'how people log in',
);
export type IdentityView = Described<typeof identityViewSchema>;
