import type { BrowserLoginConfig } from './browser-login-section';
import { ConfigError, type ConfigProblem } from './config.error';
import type { NotificationsConfig } from './notification-sections';
import type { OidcConfig } from './oidc-section';
import { isPrivateAddress } from './provider-address';

/** Settings of browser logins. */
export interface BrowserLoginSettings {
  readonly issuer: string;
  /** Display name of the provider. */
  readonly providerName: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  /** The gateway's URL for browsers, without a trailing slash. */
  readonly publicUrl: string;
  /** Idle timeout of a login, in milliseconds. */
  readonly idleMs: number;
  /** Maximum lifetime of a login, in milliseconds. */
  readonly longestMs: number;
}

/** Variables that have no effect without browser logins. */
const leftAlone = ({ clientSecret, name }: BrowserLoginConfig): readonly ConfigProblem[] =>
  Object.entries({ FLEET_OIDC_CLIENT_SECRET: clientSecret, FLEET_OIDC_NAME: name })
    .filter(([, value]) => value !== undefined)
    .map(([variable]) => ({ variable, reason: 'is set, and FLEET_OIDC_CLIENT_ID is not: set both or none' }));

const problemsOf = (issuer: string | undefined, publicUrl: string | undefined): readonly ConfigProblem[] => {
  if (issuer === undefined)
    return [{ variable: 'FLEET_OIDC_CLIENT_ID', reason: 'is set, and FLEET_OIDC_ISSUER is not: set both or none' }];
  const allowed = 'an https URL; http only for browsers on this machine';
  const variable = 'FLEET_PUBLIC_URL';
  if (publicUrl === undefined)
    return [
      {
        variable,
        reason: 'is missing, but FLEET_OIDC_CLIENT_ID is set: the provider redirects browsers to a URL below it',
        allowed,
      },
    ];
  if (isPrivateAddress(publicUrl)) return [];
  return [{ variable, reason: 'is not https: browsers would send the login cookie unencrypted', allowed }];
};

/**
 * The browser login; undefined: only keys.
 * @throws ConfigError with all problems
 */
export const browserLoginOf = (
  config: BrowserLoginConfig,
  { issuer }: Pick<OidcConfig, 'issuer'>,
  { publicUrl }: Pick<NotificationsConfig, 'publicUrl'>,
): BrowserLoginSettings | undefined => {
  const { clientId, clientSecret, name, scopes, idleMinutes, hours } = config;
  const problems = clientId === undefined ? leftAlone(config) : problemsOf(issuer, publicUrl);
  if (problems.length > 0) throw new ConfigError(problems);
  if (clientId === undefined || issuer === undefined || publicUrl === undefined) return undefined;
  return {
    issuer,
    providerName: name ?? new URL(issuer).host,
    clientId,
    clientSecret,
    scopes,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    idleMs: idleMinutes * 60_000,
    longestMs: hours * 3_600_000,
  };
};
