import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { ConfigError } from './config.error';

/**
 * The trusted authorities. Verification is always on, whatever NODE_TLS_REJECT_UNAUTHORIZED says, and includes the host
 * name.
 */
interface VerifiedTls extends Pick<SecureContextOptions, 'ca'> {
  readonly rejectUnauthorized: true;
}

/** A Redis server, or a Sentinel. */
interface RedisEndpoint {
  host: string;
  port: number;
}

interface Login {
  username?: string;
  password?: string;
  /** Number of the database. */
  db: number;
}

/** One server; if there are several, its name follows the primary. */
interface OneServer extends Login, RedisEndpoint {
  tls?: VerifiedTls;
}

/** A primary behind Sentinels. */
interface BehindSentinels extends Login {
  sentinels: RedisEndpoint[];
  name: string;
  sentinelUsername?: string;
  sentinelPassword?: string;
  tls?: VerifiedTls;
  sentinelTLS?: VerifiedTls;
  enableTLSForSentinelMode?: boolean;
}

/** Options of ioredis and BullMQ for a connection that survives restarts and failovers. */
export type RedisConnection = (OneServer | BehindSentinels) & {
  readonly retryStrategy: (times: number) => number;
  readonly reconnectOnError: (error: Error) => 2 | false;
};

const login = String.raw`(?:(?:[^\s/%]|%[0-9A-Fa-f]{2})*@)?`;
const port = String.raw`(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`;
const host = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::${port})?`;
const database = String.raw`(?:/\d{1,4})?`;
const one = `rediss?://${login}${host}${database}/?`;
const option = String.raw`sentinel_(?:username|password)=(?:[^\s&%#?]|%[0-9A-Fa-f]{2})*`;
const options = String.raw`(?:\?${option}(?:&${option})?)?`;
const behindSentinels = String.raw`rediss?\+sentinel://${login}${host}(?:,${host})*/[A-Za-z0-9._-]+${database}${options}`;

/** The forms of REDIS_URL. */
export const redisUrlPattern = new RegExp(`^(?:${one}|${behindSentinels})$`);

/** Whether its percent-encoded bytes are valid UTF-8. */
export const isDecodable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== '';
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
};

/** The same as text. */
export const redisUrlForms =
  'redis://[user:password@]host[:port][/db], or redis+sentinel://[user:password@]sentinel[:port][,…]/primary-name[/db][?sentinel_username=…&sentinel_password=…]; ' +
  'rediss instead of redis for TLS; special characters of a password as %XX (UTF-8)';

/** Half a second at first, two seconds at most, without limit: a restarted Redis is found soon. Milliseconds. */
const retryStrategy = (times: number): number => Math.min(50 * 2 ** Math.min(times, 6), 2_000) + Math.random() * 100;

/**
 * After a failover the old primary rejects writes: reconnect, which finds the new one, and repeat the command. Before
 * Redis 7 the error of a script's write is inside another message: `ERR Error running script …: -READONLY …`.
 */
const reconnectOnError = ({ message }: Error): 2 | false => (/(?:^|: -)READONLY /.test(message) ? 2 : false);

/**
 * Location of Redis. `url` has one of the forms of `redisUrlPattern`; `caFile` contains certificates of authorities.
 */
interface RedisLocation {
  readonly url: string;
  readonly caFile?: string;
}

/**
 * Settings of every connection to Redis.
 * @throws ConfigError if the authorities are unreadable, or not used for verification
 */
export const redisConnection = ({ url, caFile }: RedisLocation): RedisConnection => ({
  ...addressOf(url, tlsOf(url, caFile)),
  retryStrategy,
  reconnectOnError,
});

const tlsOf = (url: string, caFile: string | undefined): VerifiedTls | undefined => {
  const isTls = url.startsWith('rediss');
  if (caFile === undefined) return isTls ? { rejectUnauthorized: true } : undefined;
  const refused = (reason: string): ConfigError =>
    new ConfigError([
      { variable: 'REDIS_CA_FILE', reason, allowed: 'a PEM file of certificates, with a REDIS_URL for TLS' },
    ]);
  if (!isTls) throw refused('is set, but REDIS_URL does not begin with rediss: nothing would be encrypted or verified');
  const ca = readFileSync(caFile, 'utf8');
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw refused(`"${caFile}" contains no certificate`);
  return { ca, rejectUnauthorized: true };
};

const addressOf = (url: string, tls?: VerifiedTls): OneServer | BehindSentinels => {
  const [scheme = '', rest = ''] = url.split('://');
  const slash = rest.includes('/') ? rest.indexOf('/') : rest.length;
  const [who, where] = parted(rest.slice(0, slash), rest.slice(0, slash).lastIndexOf('@'));
  const [path, query] = parted(rest.slice(slash + 1), rest.slice(slash + 1).indexOf('?'), 'before');
  const parts = path.split('/').filter((part) => part !== '');
  if (!scheme.endsWith('+sentinel'))
    return { ...endpoint(where, 6379), ...loginOf(who, parts[0]), ...(tls && { tls }) };
  return {
    sentinels: where.split(',').map((each) => endpoint(each, 26_379)),
    name: parts[0] ?? '',
    ...loginOf(who, parts[1]),
    ...sentinelLogin(query),
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
};

/** Splits a text at a position; without one, all of it goes to the side named by `alone`. */
const parted = (text: string, at: number, alone: 'before' | 'after' = 'after'): readonly [string, string] => {
  if (at >= 0) return [text.slice(0, at), text.slice(at + 1)];
  return alone === 'after' ? ['', text] : [text, ''];
};

const endpoint = (text: string, port: number): RedisEndpoint => {
  const [, bracketed, plain, given] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain ?? '', port: given === undefined ? port : Number(given) };
};

const loginOf = (who: string, db = '0'): Login => {
  const [username, password] = parted(who, who.indexOf(':'), 'before').map(decodeURIComponent);
  return { ...(username ? { username } : {}), ...(password ? { password } : {}), db: Number(db) };
};

const sentinelLogin = (query: string): Pick<BehindSentinels, 'sentinelUsername' | 'sentinelPassword'> => {
  const given = new URLSearchParams(query);
  const [username, password] = [given.get('sentinel_username'), given.get('sentinel_password')];
  return {
    ...(username === null ? {} : { sentinelUsername: username }),
    ...(password === null ? {} : { sentinelPassword: password }),
  };
};

/** Addresses of Redis, or of each of its Sentinels. */
export const redisAddresses = (config: Pick<RedisLocation, 'url'>): readonly RedisEndpoint[] => {
  const at = addressOf(config.url);
  return 'sentinels' in at ? at.sentinels : [{ host: at.host, port: at.port }];
};
