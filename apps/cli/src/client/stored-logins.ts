import { PrivateFile } from './private-file';

/** A login at a provider, as phx stores it for a gateway. */
export interface StoredLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly accessToken: string;
  /** Milliseconds since the epoch; absent: the provider does not report it, and the gateway will reject the token. */
  readonly expiresAt?: number;
  /** Absent: the provider issued none, and the login ends with its token. */
  readonly refreshToken?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isOptional = (value: unknown, type: 'number' | 'string'): boolean => value === undefined || typeof value === type;

const isLogin = (value: unknown): value is StoredLogin => {
  if (typeof value !== 'object' || value === null) return false;
  const { issuer, clientId, accessToken, expiresAt, refreshToken } = value as Record<string, unknown>;
  return (
    [issuer, clientId, accessToken].every(isText) &&
    isOptional(expiresAt, 'number') &&
    isOptional(refreshToken, 'string')
  );
};

/** Keys stored by `phx login`. */
export const keyFile = (configFolder: string): PrivateFile<string> =>
  new PrivateFile(configFolder, 'keys.json', 'keys', isText);

/** Logins at providers. */
export const loginFile = (configFolder: string): PrivateFile<StoredLogin> =>
  new PrivateFile(configFolder, 'logins.json', 'logins', isLogin);
