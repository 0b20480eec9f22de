import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { Fault, isFault } from '@fleet/contracts';
import type { Clock } from '@fleet/ports';
import type { Tables } from './tables';

export type Database = Kysely<Tables>;

/** What the ports of one store share. */
export interface StoreContext {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * @param url `postgres://…`
 * @param connections most that are open at once
 */
export const connectDatabase = (url: string, connections = 10): Database => {
  const pool = new Pool({ connectionString: url, max: connections, connectionTimeoutMillis: 5_000 });
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

/** What no client throws: a slip in our own code. */
const isSlip = (cause: unknown): boolean =>
  cause instanceof Error && ['TypeError', 'ReferenceError', 'SyntaxError'].includes(cause.name);

const stateOf = (cause: unknown): string | undefined => {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

/**
 * Runs a call of the store.
 * @throws Fault `store.unreachable` (transient) or `store.refused` (bug), never an error of the client; our own slips as they are
 */
export const reachingStore = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (cause) {
    if (isFault(cause) || isSlip(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const state = stateOf(cause);
    if (state !== undefined && !passing.test(state))
      throw new Fault('store.refused', 'bug', `the session store refused a call: ${reason}`, { cause });
    throw new Fault('store.unreachable', 'transient', `the session store cannot be reached: ${reason}`, { cause });
  }
};
