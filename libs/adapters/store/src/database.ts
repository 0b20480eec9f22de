import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import type { DatabaseConnection } from '@fleet/config';
import { GroupedCalls } from '@fleet/grouped-calls';
import { storeCalls, type Clock } from '@fleet/ports';
import type { Tables } from './tables';

export type Database = Kysely<Tables>;

/** Shared by the ports of one store. */
export interface StoreContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** The store's time in `ms` milliseconds. */
export const timeIn = ({ clock }: StoreContext, ms = 0): Date => new Date(clock.now() + ms);

interface DatabaseOptions {
  /** Maximum number of open connections. */
  readonly connections?: number;
  /**
   * Timeout of each statement, in milliseconds, and of a connection attempt if it is below 15 s: a frozen server does
   * not respond and closes nothing.
   */
  readonly timeoutMs?: number;
  /** The server ends an idle transaction after this time, in milliseconds: other processes wait for its rows. */
  readonly idleMs?: number;
}

const connectMs = 15_000;

/** A new connection costs the server about 15 ms, as much as a hundred moves: a process, its caches and its plans. */
const idleConnectionMs = 600_000;

/**
 * A frequent statement, whose parsing and planning would be most of its cost: each connection prepares it once, under
 * its name. Its result must have named columns (no `*`): the result of a prepared statement must not change when a
 * later release adds a column.
 */
export const prepared =
  (name: string, text: string) =>
  (...parameters: readonly unknown[]): CompiledQuery =>
    CompiledQuery.raw(`/* prepared: ${name} */${text}`, [...parameters]);

/** Passes the statement's name on, which Kysely does not. */
class PreparingClient extends Client {
  override query(...[query, ...rest]: readonly unknown[]): never {
    const name = typeof query === 'string' ? /^\/\* prepared: (\w+) \*\//.exec(query)?.[1] : undefined;
    const inherited = super.query.bind(this) as (...all: readonly unknown[]) => never;
    return inherited(name === undefined ? query : { name, text: query }, ...rest);
  }
}

/** @param place a `postgres://…` URL, or one parsed by `databaseConnection` of @fleet/config */
export const connectDatabase = (
  place: string | DatabaseConnection,
  { connections = 10, timeoutMs = 15_000, idleMs = 10_000 }: DatabaseOptions = {},
): Database => {
  const pool = new Pool({
    ...(typeof place === 'string' ? { connectionString: place } : place),
    Client: PreparingClient,
    max: connections,
    idleTimeoutMillis: idleConnectionMs,
    connectionTimeoutMillis: Math.min(timeoutMs, connectMs),
    query_timeout: timeoutMs,
    idle_in_transaction_session_timeout: idleMs,
    application_name: 'phenix-fleet',
    keepAlive: true,
  });
  // An error of an idle connection would end the process if nothing listened; the next query reports it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
};

/**
 * SQLSTATE classes of a temporarily unavailable server: connection, operator intervention, resources, read-only, and
 * serialisation failures.
 */
const passing = /^(08|40|53|57|58|25006)/;

/** SQLSTATE; a system error code of a connection (EPIPE) has no digit. */
const stateOf = (cause: unknown): string | undefined => {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

/** Whether the server rejected the statement as wrong. */
const isRefusal = (cause: unknown): boolean => {
  const state = stateOf(cause);
  return state !== undefined && !passing.test(state);
};

/**
 * Groups calls, each group one statement or one transaction. A group that the server rejects is made again one by one.
 * @param all returns a result for each, in order
 */
export const groupedCalls = <In, Out>(
  all: (group: readonly In[]) => Promise<readonly Out[]>,
  largest: number,
): GroupedCalls<In, Out> => new GroupedCalls(all, { largest, isRefusal });

/** Makes a store call with the faults of `storeCalls`. */
export const reachingStore = storeCalls(isRefusal);
