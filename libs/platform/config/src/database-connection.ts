import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigError } from './config.error';

const login = String.raw`(?:(?:[^\s/%@]|%[0-9A-Fa-f]{2})+@)?`;
const host = String.raw`(?:(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?)?`;
const option = String.raw`(?:sslmode=(?:disable|verify-full)|host=(?:[^\s&%#?]|%[0-9A-Fa-f]{2})+)`;

/** The forms of DATABASE_URL. */
export const databaseUrlPattern = new RegExp(
  `^postgres(?:ql)?://${login}${host}/[A-Za-z0-9._-]+(?:\\?${option}(?:&${option})?)?$`,
);

/** The same as text. */
export const databaseUrlForms =
  'postgres://user:password@host[:port]/database[?sslmode=verify-full], or ?host=/folder/of/the/socket; special characters of a password as %XX (UTF-8)';

/**
 * Location of PostgreSQL. `url` has one of the forms of `databaseUrlPattern`; `caFile` contains certificates of
 * authorities.
 */
interface DatabaseLocation {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** A location in the client's form. */
export interface DatabaseConnection {
  /** Without TLS options. */
  readonly connectionString: string;
  /** False: no encryption. */
  readonly ssl: ConnectionOptions | false;
}

/**
 * Settings of every connection to PostgreSQL. Encrypted connections are always verified, including the host name.
 * @throws ConfigError if the authorities are unreadable, or not used for verification
 */
export const databaseConnection = ({ url, caFile }: DatabaseLocation): DatabaseConnection => {
  const [place = '', query = ''] = url.split('?');
  const options = new URLSearchParams(query);
  const mode = options.get('sslmode') ?? (caFile === undefined ? 'disable' : 'verify-full');
  options.delete('sslmode');
  const connectionString = options.size === 0 ? place : `${place}?${options.toString()}`;
  if (caFile === undefined) return { connectionString, ssl: mode === 'disable' ? false : { rejectUnauthorized: true } };
  const refused = (reason: string): ConfigError =>
    new ConfigError([{ variable: 'DATABASE_CA_FILE', reason, allowed: 'a PEM file of certificates' }]);
  if (mode === 'disable') throw refused('is set, but DATABASE_URL says sslmode=disable: nothing would be verified');
  const ca = readFileSync(caFile, 'utf8');
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw refused(`"${caFile}" contains no certificate`);
  return { connectionString, ssl: { ca, rejectUnauthorized: true } };
};

/** Network addresses of PostgreSQL; empty for a socket. */
export const databaseAddresses = ({
  url,
}: Pick<DatabaseLocation, 'url'>): readonly { readonly host: string; readonly port: number }[] => {
  const { hostname, port } = new URL(url.replace(/^postgres(?:ql)?:/, 'http:').replace('@/', '@socket/'));
  const isSocket = /[?&]host=/.test(url);
  return isSocket ? [] : [{ host: hostname.replace(/^\[(.+)\]$/, '$1'), port: port === '' ? 5432 : Number(port) }];
};
