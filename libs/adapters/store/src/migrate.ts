import { sql } from 'kysely';
import { Fault } from '@fleet/contracts';
import type { Database } from './database';
import { sessions } from './migrations/0001-sessions';
import { runs } from './migrations/0002-runs';
import { webhooks } from './migrations/0003-webhooks';
import { access } from './migrations/0004-access';
import { models } from './migrations/0005-models';
import { adoptRestoredMoves } from './restored-moves';

/** In their order. One that was released never changes; release N + 1 adds only what release N can live with. */
const migrations: readonly { readonly number: number; readonly name: string; readonly text: string }[] = [
  { number: 1, name: 'sessions', text: sessions },
  { number: 2, name: 'runs', text: runs },
  { number: 3, name: 'webhooks', text: webhooks },
  { number: 4, name: 'access', text: access },
  { number: 5, name: 'models', text: models },
];

/** Of the advisory lock under which one process at a time migrates. */
const lock = 7_316_401;

/**
 * Brings the schema to what this release needs, once, whoever starts first.
 * @throws Fault `store.newer` (caller) where a later release has been here whose schema this one does not know
 */
export const migrate = (db: Database, known = migrations): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${lock})`.execute(tx);
    await sql`CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())`.execute(
      tx,
    );
    const { rows } = await sql<{
      number: number;
      name: string;
    }>`SELECT number, name FROM migrations ORDER BY number`.execute(tx);
    const strange = rows.find(({ number, name }) => known.find((one) => one.number === number)?.name !== name);
    if (strange !== undefined)
      throw new Fault(
        'store.newer',
        'caller',
        `the database has migration ${String(strange.number)} (${strange.name}), which this release does not know: a later release was here`,
      );
    for (const { number, name, text } of known.filter((one) => rows.every((row) => row.number !== one.number))) {
      await sql.raw(text).execute(tx);
      await sql`INSERT INTO migrations (number, name) VALUES (${number}, ${name})`.execute(tx);
    }
    await adoptRestoredMoves(tx);
  });
