import {
  apiKeySchema,
  Fault,
  isDescribed,
  keyRevocationSchema,
  type ApiKey,
  type KeyRevocation,
} from '@fleet/contracts';

/** The oldest first. */
export const byAge = (one: ApiKey, other: ApiKey): number =>
  `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1;

const parsed = (id: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw damaged(id, cause);
  }
};

const damaged = (id: string, cause?: unknown): Fault =>
  new Fault('key.damaged', 'bug', `what is stored of the key ${id} is damaged`, { cause });

/**
 * A key from what is stored of it. What cannot be read opens nothing.
 * @throws Fault `key.damaged` (bug)
 */
export const keyFrom = (id: string, key: string | null, revoked: string | null): ApiKey | undefined => {
  if (key === null) return undefined;
  const stored = parsed(id, key);
  if (!isDescribed(apiKeySchema, stored) || stored.id !== id) throw damaged(id);
  return { ...stored, ...(revoked !== null && revocationFrom(id, revoked)) };
};

const revocationFrom = (id: string, text: string): KeyRevocation => {
  const stored = parsed(id, text);
  if (!isDescribed(keyRevocationSchema, stored)) throw damaged(id);
  return stored;
};

/** A key as it was made, apart from its revocation. */
export const apart = ({
  revokedAt,
  revokedBy = '',
  ...key
}: ApiKey): { readonly key: ApiKey; readonly revocation: Required<KeyRevocation> | undefined } => ({
  key,
  revocation: revokedAt === undefined ? undefined : { revokedAt, revokedBy },
});
