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
  role: choice(principalRoles, 'what they are to the service'),
  proposals: proposalsOfKey('proposals that they belong to; `*`: a service may submit to all of its beamlines'),
  beamlines: namesOfPrincipal('beamlines that they work at; empty for users and administrators'),
  scopes: scopes('what they may do, within their role'),
} as const;

/** Callers of a gateway with open access. */
const openAccess = ['this-machine', 'everybody'] as const;
export type OpenAccess = (typeof openAccess)[number];

/** The caller, as the gateway reports it. */
export const meViewSchema = record(
  'Me',
  { id: text('who it is; empty: nobody was asked, for the gateway is open'), ...who },
  {
    openAccess: choice(openAccess, 'only of a gateway that has no keys: who reaches it, and may do everything'),
    uploads: uploadRulesSchema,
    timeZone: text('time zone of the facility, in which people see times; absent: of an older release'),
  },
  'who you are to the gateway',
);
export type MeView = Described<typeof meViewSchema>;

/** An authenticated caller, identified by a key or an identity provider. */
export type Principal = Omit<MeView, 'openAccess' | 'uploads' | 'timeZone'>;

const apiKeyMembers = {
  id: text('tells keys apart; no secret', { pattern: '^[0-9a-z]{16}$', 'x-allowed': '16 letters and digits' }),
  owner: principalId('whose key it is'),
  label: text('what it is for', { maxLength: 200 }),
  ...who,
  createdAt: time(),
  createdBy: text('empty: the gateway was open'),
  expiresAt: time('from then on it opens nothing'),
} as const;
const revocationMembers = { revokedAt: time('from then on it opens nothing'), revokedBy: text() } as const;

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
  { ...revocationMembers, lastUsedAt: time('to the minute; absent: never, or before the database was rebuilt') },
  'a key that opens the API, without its secret',
);
export type ApiKeyView = Described<typeof apiKeyViewSchema>;

export const apiKeysViewSchema = record('ApiKeys', { keys: list(apiKeyViewSchema) });
export type ApiKeysView = Described<typeof apiKeysViewSchema>;

export const newApiKeySchema = record(
  'NewApiKey',
  { key: text('the whole key: it is shown only once, and kept nowhere'), record: apiKeyViewSchema },
  {},
  'a key that was made just now',
);
export type NewApiKey = Described<typeof newApiKeySchema>;

/** Default validity of a key in days. */
const usualDays = 365;

/** The request for a new key. */
export const apiKeyRequestSchema = closed(
  record(
    'ApiKeyRequest',
    { owner: principalId('whose key it is to be'), role: choice(principalRoles) },
    {
      label: text('what it is for', {
        default: '',
        maxLength: 200,
        pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
        'x-allowed': 'one line of text, at most 200 characters',
      }),
      proposals: proposalsOfKey(
        'proposals that the owner belongs to; `*`: a service may submit to all of its beamlines',
      ),
      beamlines: namesOfPrincipal('beamlines that the owner works at: of staff, kiosks and services'),
      scopes: scopes('absent: all that the role may'),
      expires_in_days: integer('days that it is good for', { default: usualDays, minimum: 1, maximum: 3650 }),
    },
  ),
);
export type ApiKeyRequest = Described<typeof apiKeyRequestSchema>;
