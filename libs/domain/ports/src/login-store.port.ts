export const LOGIN_STORE = Symbol('LoginStore');

/**
 * What gateways remember of the logins of browsers, by names that nobody can guess from it. All of it ends by itself, and is lost with the
 * store: then people log in again. Every implementation passes `loginStoreContract` in libs/testing.
 */
export interface LoginStore {
  /** Keeps it for so many milliseconds, in place of what had that name. */
  keep(name: string, text: string, forMs: number): Promise<void>;
  /** As `keep`, and only where what has that name still is `before`: what was changed or removed meanwhile stays so. False: it was. */
  replace(name: string, before: string, text: string, forMs: number): Promise<boolean>;
  /** Forgets it, and only where it still is `before`. False: it was changed or removed meanwhile. */
  remove(name: string, before: string): Promise<boolean>;
  /** What has that name, which from now on is kept for so many milliseconds more. */
  use(name: string, forMs: number): Promise<string | undefined>;
  /** Gives it and forgets it: of two who take it at once, one gets it. */
  take(name: string): Promise<string | undefined>;
  /** Whether nobody else has claimed that name within so many milliseconds. It spares work, and keeps nobody from it who stood still for longer. */
  claim(name: string, forMs: number): Promise<boolean>;
}
