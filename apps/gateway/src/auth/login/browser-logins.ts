import type { Principal } from '@fleet/contracts/access';
import { ApiError } from '../../http/errors/problem-details';
import type { Cookies } from './cookies';
import type { LoginTokens } from './login-client';

export const BROWSER_LOGINS = Symbol('BrowserLogins');

/** Time limit of a login at the provider, in milliseconds. */
export const attemptMs = 10 * 60_000;

/** The browser login that is offered. */
interface OfferedLogin {
  readonly cookies: Cookies;
  /** URL where a browser begins. */
  readonly loginUrl: string;
  /** Display name of the provider. */
  readonly providerName: string;
  /** Origin of the gateway's own pages. */
  readonly origin: string;
}

/** A user who came back from the provider, and is not logged in yet. */
export interface Arrival {
  readonly principal: Principal;
  readonly tokens: LoginTokens;
  /** The page that they came from. */
  readonly returnTo: string;
}

/** Browser logins, if the gateway offers them. */
export interface BrowserLogins {
  /** Undefined: there are none, and cookies are ignored. */
  readonly offered: OfferedLogin | undefined;
  /**
   * Begins a login: the URL for the browser, and its temporary secret.
   * @param asked page to open afterwards
   * @param held secret of another login that the browser has begun, in another tab
   * @throws ApiError `login.off`, `request.invalid` or `access.provider_unavailable`
   */
  begin(
    asked: string | undefined,
    held: string | undefined,
  ): Promise<{ readonly loginUrl: string; readonly secret: string }>;
  /**
   * Identifies the returning user; each response of the provider is valid once.
   * @param held secret of the login that the browser began
   * @param query of the browser's return URL
   * @throws ApiError `login.off`, `login.not_begun`, `login.refused` or `access.provider_unavailable`
   */
  arrive(held: string | undefined, query: URLSearchParams): Promise<Arrival>;
  /** Logs the user in. @returns the new secret for the browser */
  enter(arrival: Arrival): Promise<string>;
  /**
   * The user of a login.
   * @throws ApiError `access.login_ended`, or `access.provider_unavailable`
   */
  principalOf(secret: string): Promise<Principal>;
  /** The user of a login without checking whether it is still valid; undefined: there is no such login. */
  holderOf(secret: string): Promise<Principal | undefined>;
  /**
   * Ends a login here and at the provider.
   * @returns URL where the browser ends its session at the provider; undefined if there is none
   */
  end(secret: string): Promise<string | undefined>;
}

const off = (): Promise<never> =>
  Promise.reject(
    new ApiError(
      'login.off',
      'This gateway has no browser login. Its operator can configure it with FLEET_OIDC_CLIENT_ID and FLEET_PUBLIC_URL.',
    ),
  );

/** A gateway without browser logins. */
export const noBrowserLogins: BrowserLogins = {
  offered: undefined,
  begin: off,
  arrive: off,
  enter: off,
  principalOf: off,
  holderOf: off,
  end: off,
};
