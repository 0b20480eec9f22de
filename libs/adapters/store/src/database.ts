import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import type { DatabaseConnection } from '@fleet/config';
import { storeCalls, type Clock } from '@fleet/ports';
import type { Tables } from './tables';

export type Database = Kysely<Tables>;

/** What the ports of one store share. */
export interface StoreContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** The time in so many milliseconds, by the clock of the store. */
export const timeIn = ({ clock }: StoreContext, ms = 0): Date => new Date(clock.now() + ms);

interface DatabaseOptions {
  /** Most that are open at once. */
  readonly connections?: number;
  /** Milliseconds that a connection, and then each statement, may take: a frozen server answers nothing, and nothing else tells. */
  readonly timeoutMs?: number;
}

/** Milliseconds after which the server ends the transaction of a process that has stopped amid it: others wait for its rows. */
const idleMs = 10_000;

/**
 * A statement that is made so often that parsing and planning it each time would be most of its cost: each connection prepares it once, under its name.
 * Its result has named columns (no `*`), for that of a prepared statement must not change when a later release adds one.
 */
export const prepared =
  (name: string, text: string) =>
  (...parameters: readonly unknown[]): CompiledQuery =>
    CompiledQuery.raw(`/* prepared: ${name} */${text}`, [...parameters]);

/** Kysely passes no name on. */
class PreparingClient extends Client {
  override query(...[query, ...rest]: readonly unknown[]): never {
    const name = typeof query === 'string' ? /^\/\* prepared: (\w+) \*\//.exec(query)?.[1] : undefined;
    const inherited = super.query.bind(this) as (...all: readonly unknown[]) => never;
    return inherited(name === undefined ? query : { name, text: query }, ...rest);
  }
}

/** @param place a `postgres://…`, or one as `databaseConnection` of @fleet/config reads it */
export const connectDatabase = (
  place: string | DatabaseConnection,
  { connections = 10, timeoutMs = 15_000 }: DatabaseOptions = {},
): Database => {
  const pool = new Pool({
    ...(typeof place === 'string' ? { connectionString: place } : place),
    Client: PreparingClient,
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    idle_in_transaction_session_timeout: idleMs,
    application_name: 'phenix-fleet',
    keepAlive: true,
  });
  // A connection that is lost while nobody waits for an answer on it has nobody to tell, and would end the process: whoever asks next is told.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
};

/**
 * Classes of SQLSTATE that say that the server is not at its post: connection, operator intervention, resources, read-only, and transactions
 * that lost against another one.
 */
const passing = /^(08|40|53|57|58|25006)/;

/** SQLSTATE; what the system says of a connection (EPIPE) has no digit. */
const stateOf = (cause: unknown): string | undefined => {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

/** Whether the server has answered that the statement is wrong. */
export const isRefusal = (cause: unknown): boolean => {
  const state = stateOf(cause);
  return state !== undefined && !passing.test(state);
};

/** Runs a call of the store, as `storeCalls` says. */
export const reachingStore = storeCalls(isRefusal);
