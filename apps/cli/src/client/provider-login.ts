import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf } from '@fleet/contracts/faults';
import * as client from 'openid-client';
import { CliError, isCliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { loginFile, type StoredLogin } from './stored-logins';

/** The provider of a login, and its client id. */
export type LoginClient = Pick<StoredLogin, 'issuer' | 'clientId'>;

/** Instructions for the user. */
export interface DevicePrompt {
  readonly verificationUrl: string;
  readonly code: string;
  /** Contains the code, if the provider has such a URL. */
  readonly completeUrl: string | undefined;
}

/** Allowed error of this machine's clock, in seconds. */
const toleranceS = 60;

const isOnThisMachine = (issuer: string): boolean =>
  /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(`${issuer}/`);

const configurationOf = async ({ issuer, clientId }: LoginClient): Promise<client.Configuration> => {
  // Marked so that it stands out: it is for a provider on this machine alone.
  // oxlint-disable-next-line typescript/no-deprecated
  const execute = isOnThisMachine(issuer) ? [client.allowInsecureRequests] : [];
  const metadata = { [client.clockTolerance]: toleranceS };
  return client.discovery(new URL(issuer), clientId, metadata, client.None(), { execute });
};

const wordOf = (error: unknown, name: string): string => {
  const word: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof word === 'string' ? word : '';
};

/** Error texts by the provider's code (RFC 6749, 5.2; RFC 8628, 3.5). */
const refusals: Readonly<Record<string, string>> = {
  access_denied: 'the identity provider refused the login',
  expired_token: 'the code was not entered in time',
  invalid_grant: 'the login has expired',
  invalid_client: 'the provider does not know this client (FLEET_OIDC_DEVICE_CLIENT of the gateway)',
  unauthorized_client: 'the provider does not allow this client to use the device flow',
};

const explained = (error: unknown, issuer: string): unknown => {
  if (isCliError(error)) return error;
  const code = wordOf(error, 'error');
  if (code !== '') {
    const explanation = refusals[code] ?? `${code} ${wordOf(error, 'error_description')}`.trim();
    return new CliError(exitCodes.refused, `${issuer}: ${explanation}.`, ['Log in again with phx login.']);
  }
  const cause: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'cause') : undefined;
  const reason = wordOf(cause, 'code') || wordOf(error, 'message');
  return new CliError(exitCodes.server, `The identity provider ${issuer} is unavailable: ${reason}.`);
};

const withProvider = async <T>(issuer: string, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    throw explained(error, issuer);
  }
};

const loginOf = (loginClient: LoginClient, tokens: client.TokenEndpointResponse, before?: StoredLogin): StoredLogin => {
  const refreshToken = tokens.refresh_token ?? before?.refreshToken;
  return {
    issuer: loginClient.issuer,
    clientId: loginClient.clientId,
    accessToken: tokens.access_token,
    ...(tokens.expires_in !== undefined && { expiresAt: Date.now() + tokens.expires_in * 1000 }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
};

/**
 * Logs a user in at the provider: they enter a code on one of its pages, on any machine (RFC 8628).
 * @param show shows the instructions
 * @throws CliError `refused` if they or the provider refuse, `server` if it is unreachable
 */
export const deviceLogin = (
  loginClient: LoginClient & { readonly scopes: string },
  show: (prompt: DevicePrompt) => void,
  interrupted: AbortSignal,
): Promise<StoredLogin> =>
  withProvider(loginClient.issuer, async () => {
    const configuration = await configurationOf(loginClient);
    const device = await client.initiateDeviceAuthorization(configuration, { scope: loginClient.scopes });
    show({
      verificationUrl: device.verification_uri,
      code: device.user_code,
      completeUrl: device.verification_uri_complete,
    });
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(device.expires_in * 1000)]);
    const tokens = await client.pollDeviceAuthorizationGrant(configuration, device, undefined, { signal });
    return loginOf(loginClient, tokens);
  });

/** Revokes the login at the provider, so that a copy of it is useless too. */
export const revokeLogin = (login: StoredLogin): Promise<void> =>
  withProvider(login.issuer, async () => {
    const configuration = await configurationOf(login);
    if (configuration.serverMetadata().revocation_endpoint === undefined) return;
    await client.tokenRevocation(configuration, login.refreshToken ?? login.accessToken);
  });

const hasEnded = (server: string): CliError =>
  new CliError(exitCodes.refused, `Your login at ${server} has expired.`, ['Log in again with phx login.']);

/** Milliseconds after which another process that renews a login is considered dead. */
const staleMs = 30_000;

/** When a file was created, in milliseconds since the epoch; now, if it is missing. */
const createdAtMs = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Date.now();
    throw error;
  }
};

/** Serialised: two calls would send the same refresh token, for which many providers end the login. */
const exclusively = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
  const lock = `${path}.lock`;
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    if (Date.now() - (await createdAtMs(lock)) > staleMs) await rm(lock, { force: true });
    else await pause(100);
  }
  try {
    return await act();
  } finally {
    await rm(lock, { force: true });
  }
};

/**
 * The login at this gateway with a valid token; another phx may have just renewed it.
 * @throws CliError `refused` if it has ended
 */
export const renewedLogin = (
  server: string,
  configFolder: string,
  isGood: (login: StoredLogin) => boolean,
): Promise<StoredLogin> => {
  const file = loginFile(configFolder);
  return exclusively(file.path, async () => {
    const stored = await file.of(server);
    if (stored === undefined) throw hasEnded(server);
    if (isGood(stored)) return stored;
    const { refreshToken } = stored;
    if (refreshToken === undefined) throw hasEnded(server);
    const login = await withProvider(stored.issuer, async () => {
      return loginOf(stored, await client.refreshTokenGrant(await configurationOf(stored), refreshToken), stored);
    });
    await file.keep(server, login);
    return login;
  });
};
