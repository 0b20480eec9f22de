export const LOGIN_STORE = Symbol('LoginStore');

/**
 * Browser logins, under names from which the store's content cannot be guessed. All entries expire, and are lost with the store: then users
 * log in again. Every implementation passes `loginStoreContract` in libs/testing.
 */
export interface LoginStore {
  /** Stores the text for this many milliseconds; replaces an existing entry. */
  keep(name: string, text: string, forMs: number): Promise<void>;
  /** Like `keep`, but only if the entry still is `before`. False: it was changed or removed meanwhile. */
  replace(name: string, before: string, text: string, forMs: number): Promise<boolean>;
  /** Deletes the entry, but only if it still is `before`. False: it was changed or removed meanwhile. */
  remove(name: string, before: string): Promise<boolean>;
  /** Reads the entry and extends it by this many milliseconds. */
  use(name: string, forMs: number): Promise<string | undefined>;
  /** Reads and deletes the entry: of two concurrent callers only one gets it. */
  take(name: string): Promise<string | undefined>;
  /**
   * Claims the name for this many milliseconds. False: another caller holds it. It saves work but is not a lock: a caller that stalls for
   * longer loses it.
   */
  claim(name: string, forMs: number): Promise<boolean>;
}
