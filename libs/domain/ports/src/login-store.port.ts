export const LOGIN_STORE = Symbol('LoginStore');

/**
 * What gateways remember of the logins of browsers, by names that nobody can guess from it. All of it ends by itself, and is lost with the
 * store: then people log in again. Every implementation passes `loginStoreContract` in libs/testing.
 */
export interface LoginStore {
  /** Keeps it for so many milliseconds, in the place of what had that name. */
  keep(name: string, text: string, forMs: number): Promise<void>;
  /** As `keep`, and only where there still is something of that name: what was removed meanwhile stays so. */
  replace(name: string, text: string, forMs: number): Promise<void>;
  /** What has that name, which from now on is kept for so many milliseconds more. */
  use(name: string, forMs: number): Promise<string | undefined>;
  /** Gives it and forgets it: of two who take it at once, one gets it. */
  take(name: string): Promise<string | undefined>;
  /** Whether nobody else has claimed that name within so many milliseconds. */
  claim(name: string, forMs: number): Promise<boolean>;
}
