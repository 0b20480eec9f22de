import { sql } from 'kysely';
import { Fault } from '@fleet/contracts/faults';
import type { Database } from './database';
import { sessions } from './migrations/0001-sessions';
import { moves } from './migrations/0002-moves';
import { batches } from './migrations/0003-batches';
import { runs } from './migrations/0004-runs';
import { webhooks } from './migrations/0005-webhooks';
import { access } from './migrations/0006-access';
import { models } from './migrations/0007-models';
import { statistics } from './migrations/0008-statistics';
import { adoptRestoredMoves } from './restored-moves';
import { admitReaders } from './statistics/reader-role';

interface Migration {
  readonly number: number;
  readonly name: string;
  /** SQL. */
  readonly text: string;
  /** The oldest release that may still start after this migration; absent: any, because this one only adds. */
  readonly oldest?: number;
}

/** In order. A released migration never changes; release N + 1 adds only what release N tolerates. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'sessions', text: sessions },
  { number: 2, name: 'moves', text: moves },
  { number: 3, name: 'batches', text: batches },
  { number: 4, name: 'runs', text: runs },
  { number: 5, name: 'webhooks', text: webhooks },
  { number: 6, name: 'access', text: access },
  { number: 7, name: 'models', text: models },
  { number: 8, name: 'statistics', text: statistics },
];

/** Of the advisory lock that lets one process at a time migrate. */
export const migrationLock = 7_316_401;

/**
 * Brings the schema to this release, once, whichever service starts first. Consecutive releases run side by side:
 * additions of a later one stay.
 * @throws Fault `store.newer` (caller) if a later release has migrated to a schema that this one cannot use
 */
export const migrate = (db: Database, known = migrations): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(tx);
    await sql`CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL, oldest integer NOT NULL DEFAULT 0, at timestamptz NOT NULL DEFAULT now())`.execute(
      tx,
    );
    const { rows } = await sql<
      Required<Omit<Migration, 'text'>>
    >`SELECT number, name, oldest FROM migrations ORDER BY number`.execute(tx);
    const newest = Math.max(...known.map(({ number }) => number));
    const strange = rows.find(({ number, name, oldest }) =>
      number > newest ? oldest > newest : known.find((one) => one.number === number)?.name !== name,
    );
    if (strange !== undefined)
      throw new Fault(
        'store.newer',
        'caller',
        `the database has migration ${String(strange.number)} (${strange.name}), with which this release cannot work: another release made it`,
      );
    for (const { number, name, text, oldest = 0 } of known.filter((one) =>
      rows.every((row) => row.number !== one.number),
    )) {
      await sql.raw(text).execute(tx);
      await sql`INSERT INTO migrations (number, name, oldest) VALUES (${number}, ${name}, ${oldest})`.execute(tx);
    }
    await adoptRestoredMoves(tx);
    await admitReaders(tx);
  });
