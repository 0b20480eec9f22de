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

/** The same in words. */
export const databaseUrlForms =
  'postgres://user:password@host[:port]/database[?sslmode=verify-full], or ?host=/folder/of/the/socket; special characters of a password as %XX (UTF-8)';

/** Where PostgreSQL is. `url` has one of the forms of `databaseUrlPattern`; `caFile` is a file with certificates of authorities. */
interface DatabasePlace {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** A place as the client takes it. */
export interface DatabaseConnection {
  /** Without options about TLS. */
  readonly connectionString: string;
  /** False: nothing is encrypted. */
  readonly ssl: ConnectionOptions | false;
}

/**
 * How every connection to PostgreSQL is made. Encrypted connections are always verified, against the name of the host too.
 * @throws ConfigError where authorities are named that cannot be read, or that nothing is verified with
 */
export const databaseConnection = ({ url, caFile }: DatabasePlace): DatabaseConnection => {
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
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw refused(`"${caFile}" holds no certificate`);
  return { connectionString, ssl: { ca, rejectUnauthorized: true } };
};

/** Where PostgreSQL listens; nowhere on a network where a socket is named. */
export const databaseAddresses = ({
  url,
}: Pick<DatabasePlace, 'url'>): readonly { readonly host: string; readonly port: number }[] => {
  const { hostname, port } = new URL(url.replace(/^postgres(?:ql)?:/, 'http:').replace('@/', '@socket/'));
  const isSocket = /[?&]host=/.test(url);
  return isSocket ? [] : [{ host: hostname.replace(/^\[(.+)\]$/, '$1'), port: port === '' ? 5432 : Number(port) }];
};
