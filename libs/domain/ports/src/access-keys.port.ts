import type { ApiKey, KeyRevocation } from '@fleet/contracts/access';

export const ACCESS_KEYS = Symbol('AccessKeys');
export const ACCESS_KEY_FILES = Symbol('AccessKeyFiles');

/**
 * The keys that open the API. Their secrets are nowhere in it. Nothing is ever changed or removed: a key is made once and revoked once, so
 * that two who do it at once agree. Every implementation passes `accessKeysContract` in libs/testing.
 */
export interface AccessKeys {
  /** @throws Fault `key.exists` (conflict) */
  create(key: ApiKey): Promise<void>;
  find(id: string): Promise<ApiKey | undefined>;
  /** All, the oldest first, with those that are revoked or have expired. */
  list(): Promise<readonly ApiKey[]>;
  /** Takes it back for good; the first revocation counts. Undefined where there is no such key. */
  revoke(id: string, by: Required<KeyRevocation>): Promise<ApiKey | undefined>;
  /** Whether a key was ever made, whatever happens to it: then nobody is let in without one. */
  any(): Promise<boolean>;
}

/** When a key was used last, for people who clean up. Lost with the database. */
export interface KeyUses {
  used(id: string, at: string): Promise<void>;
  lastUses(): Promise<Readonly<Record<string, string>>>;
}
export const KEY_USES = Symbol('KeyUses');
