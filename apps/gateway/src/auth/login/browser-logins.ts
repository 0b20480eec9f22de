import type { Principal } from '@fleet/contracts/access';
import { ApiError } from '../../http/errors/problem-details';
import type { Cookies } from './cookies';
import type { LoginTokens } from './login-client';

export const BROWSER_LOGINS = Symbol('BrowserLogins');

/** Milliseconds that somebody may take at the provider. */
export const attemptMs = 10 * 60_000;

/** How browsers log in, for whoever shows or checks it. */
interface OfferedLogin {
  readonly cookies: Cookies;
  /** Where a browser begins. */
  readonly loginUrl: string;
  /** What people call the provider. */
  readonly providerName: string;
  /** Of the gateway's own pages. */
  readonly origin: string;
}

/** Somebody who came back from the provider, and is not logged in yet. */
export interface Arrival {
  readonly principal: Principal;
  readonly tokens: LoginTokens;
  /** Where they wanted to be. */
  readonly returnTo: string;
}

/** Logins of browsers, where the gateway has them. */
export interface BrowserLogins {
  /** Undefined: there are none, and cookies say nothing. */
  readonly offered: OfferedLogin | undefined;
  /**
   * Where the browser goes, and what it holds until it is back.
   * @param asked where somebody wants to be afterwards
   * @param held what the browser holds of another login that it has begun, in another of its tabs
   * @throws ApiError `login.off`, `request.invalid` or `access.provider_unavailable`
   */
  begin(
    asked: string | undefined,
    held: string | undefined,
  ): Promise<{ readonly loginUrl: string; readonly secret: string }>;
  /**
   * Who comes back; each answer of the provider is good once.
   * @param held what the browser holds of the login that it began
   * @param query with what it came back
   * @throws ApiError `login.off`, `login.not_begun`, `login.refused` or `access.provider_unavailable`
   */
  arrive(held: string | undefined, query: URLSearchParams): Promise<Arrival>;
  /** Logs them in. @returns what the browser holds from now on */
  enter(arrival: Arrival): Promise<string>;
  /**
   * Who a login is of.
   * @throws ApiError `access.login_ended`, or `access.provider_unavailable`
   */
  principalOf(secret: string): Promise<Principal>;
  /** Who a login is of, without asking whether it still is good; undefined: it is none. */
  holderOf(secret: string): Promise<Principal | undefined>;
  /**
   * Ends a login here and at the provider.
   * @returns where the browser ends its session with the provider itself; undefined where there is no such address
   */
  end(secret: string): Promise<string | undefined>;
}

const off = (): Promise<never> =>
  Promise.reject(
    new ApiError(
      'login.off',
      'This gateway has no login for browsers: its operator sets it up with FLEET_OIDC_CLIENT_ID and FLEET_PUBLIC_URL.',
    ),
  );

/** A gateway without logins of browsers. */
export const noBrowserLogins: BrowserLogins = {
  offered: undefined,
  begin: off,
  arrive: off,
  enter: off,
  principalOf: off,
  holderOf: off,
  end: off,
};
