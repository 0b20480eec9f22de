import { accessScopes, principalRoles } from '../route/actions';
import { choice, closed, integer, list, record, text, type Described, type Schema } from '../schema/schema';
import { folderName, folderNameAllowed, time } from '../schema/schema-fields';
import { uploadRulesSchema } from '../uploads/uploads';

/** A login name of the facility, an e-mail address, or the name of a program. */
export const principalId = (what: string): Schema<string> =>
  text(what, {
    minLength: 1,
    maxLength: 100,
    pattern: '^[A-Za-z0-9][A-Za-z0-9@._-]*$',
    'x-allowed': 'letters, digits, "@", ".", "_" and "-", starting with a letter or digit, at most 100 characters',
  });
/** Names of proposals or beamlines. */
export const namesOfPrincipal = (what: string, most = 1000): Schema<readonly string[]> =>
  list(text(undefined, { maxLength: 64, pattern: `^${folderName}$`, 'x-allowed': folderNameAllowed }), what, {
    maxItems: most,
    'x-allowed': `a list of names, at most ${String(most)}`,
  });
const scopes = (what: string) => list(choice(accessScopes), what, { minItems: 1, maxItems: accessScopes.length });

/** Stands for all proposals of a service key's beamlines. No proposal can have this name. */
export const everyProposal = '*';
const proposalsOfKey = (what: string): Schema<readonly string[]> =>
  list(
    text(undefined, {
      maxLength: 64,
      pattern: `^(?:${folderName}|\\*)$`,
      'x-allowed': `${folderNameAllowed}; or "*" alone, for a service at beamlines`,
    }),
    what,
    { maxItems: 1000, 'x-allowed': 'a list of names, at most 1000' },
  );

/** Members that identify a principal. */
const who = {
  role: choice(principalRoles, 'role of the owner'),
  proposals: proposalsOfKey('proposals of the owner; `*`: a service may submit to all its beamlines'),
  beamlines: namesOfPrincipal('beamlines of the owner; empty for users and administrators'),
  scopes: scopes('permitted actions within the role'),
} as const;

/** Callers of a gateway with open access. */
const openAccess = ['this-machine', 'everybody'] as const;
export type OpenAccess = (typeof openAccess)[number];

/** The caller, as the gateway reports it. */
export const meViewSchema = record(
  'Me',
  { id: text('name of the caller; empty: access control is off'), ...who },
  {
    openAccess: choice(openAccess, 'only if access control is off: who can reach the gateway and has full access'),
    uploads: uploadRulesSchema,
    timeZone: text('time zone of the facility, for display; absent: an older release'),
  },
  "the caller's identity",
);
export type MeView = Described<typeof meViewSchema>;

/** An authenticated caller, identified by a key or an identity provider. */
export type Principal = Omit<MeView, 'openAccess' | 'uploads' | 'timeZone'>;

const apiKeyMembers = {
  id: text('identifier of the key; not secret', { pattern: '^[0-9a-z]{16}$', 'x-allowed': '16 letters and digits' }),
  owner: principalId('owner of the key'),
  label: text('purpose of the key', { maxLength: 200 }),
  ...who,
  createdAt: time(),
  createdBy: text('creator; empty: access control was off'),
  expiresAt: time('time from which the key is invalid'),
} as const;
const revocationMembers = { revokedAt: time('time from which the key is invalid'), revokedBy: text() } as const;

/** A stored key, without its secret. */
export const apiKeySchema = record(
  {
    ...apiKeyMembers,
    hash: text('SHA-256 of the whole key', { pattern: '^[0-9a-f]{64}$', 'x-allowed': '64 hexadecimal digits' }),
  },
  revocationMembers,
  'a key that opens the API',
);
export type ApiKey = Described<typeof apiKeySchema>;

/** Who revoked a key, and when. */
export const keyRevocationSchema = record(revocationMembers);
export type KeyRevocation = Described<typeof keyRevocationSchema>;

export const apiKeyViewSchema = record(
  'ApiKey',
  apiKeyMembers,
  { ...revocationMembers, lastUsedAt: time('to the minute; absent: never, or not since the database was rebuilt') },
  'an API key, without its secret',
);
export type ApiKeyView = Described<typeof apiKeyViewSchema>;

export const apiKeysViewSchema = record('ApiKeys', { keys: list(apiKeyViewSchema) });
export type ApiKeysView = Described<typeof apiKeysViewSchema>;

export const newApiKeySchema = record(
  'NewApiKey',
  { key: text('the whole key: shown only once, never stored'), record: apiKeyViewSchema },
  {},
  'a new API key',
);
export type NewApiKey = Described<typeof newApiKeySchema>;

/** Default validity of a key in days. */
const usualDays = 365;

/** The request for a new key. */
export const apiKeyRequestSchema = closed(
  record(
    'ApiKeyRequest',
    { owner: principalId('owner of the new key'), role: choice(principalRoles) },
    {
      label: text('purpose of the key', {
        default: '',
        maxLength: 200,
        pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
        'x-allowed': 'one line of text, at most 200 characters',
      }),
      proposals: proposalsOfKey('proposals of the owner; `*`: a service may submit to all its beamlines'),
      beamlines: namesOfPrincipal('beamlines of the owner; for staff, kiosks and services'),
      scopes: scopes('absent: all actions of the role'),
      expires_in_days: integer('validity in days', { default: usualDays, minimum: 1, maximum: 3650 }),
    },
  ),
);
export type ApiKeyRequest = Described<typeof apiKeyRequestSchema>;
