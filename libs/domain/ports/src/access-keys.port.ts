import type { ApiKey, KeyRevocation } from '@fleet/contracts/access';

export const ACCESS_KEYS = Symbol('AccessKeys');
export const ACCESS_KEY_FILES = Symbol('AccessKeyFiles');

/**
 * The API keys, without their secrets. A key is created once and revoked once and never changed or removed, so concurrent calls agree. Every
 * implementation passes `accessKeysContract` in libs/testing.
 */
export interface AccessKeys {
  /** @throws Fault `key.exists` (conflict) */
  create(key: ApiKey): Promise<void>;
  find(id: string): Promise<ApiKey | undefined>;
  /** All keys, the oldest first, including revoked and expired ones. */
  list(): Promise<readonly ApiKey[]>;
  /** Revokes a key permanently; the first revocation counts. Undefined if the key is unknown. */
  revoke(id: string, by: Required<KeyRevocation>): Promise<ApiKey | undefined>;
  /** Whether a key was ever created, even if it is revoked: from then on every caller needs one. */
  any(): Promise<boolean>;
}

/** The last use of each key, for administrators who revoke unused keys. Lost with the database. */
export interface KeyUses {
  used(id: string, at: string): Promise<void>;
  lastUses(): Promise<Readonly<Record<string, string>>>;
}
export const KEY_USES = Symbol('KeyUses');
