import { sql, type Transaction } from 'kysely';
import type { Batch, RowState } from '@fleet/contracts/batches';
import type { SessionOutcome } from '@fleet/contracts/sessions';
import type { Tables } from '../tables';
import { notify } from './notices';

/** Of the advisory lock that lets one process at a time check batches. */
const lock = 7_316_402;

interface CheckedBatch {
  readonly batch: Batch;
  readonly complete: boolean;
  readonly states: Readonly<Partial<Record<RowState, number>>>;
  readonly outcomes: Readonly<Partial<Record<SessionOutcome, number>>>;
  readonly active: boolean;
}

/** Its manifest is complete, no row is to be validated or started, and no session of it runs. */
const hasEnded = ({ batch, complete, states, active }: CheckedBatch): boolean => {
  const { waiting, checked, accepted, rejected } = { waiting: 0, checked: 0, accepted: 0, rejected: 0, ...states };
  const toStart = batch.start === 'together' && (accepted > 0 || rejected === 0) ? checked : 0;
  return complete && !active && waiting + toStart === 0;
};

/**
 * Takes batches in which something has ended, and queues the notice of those that have ended completely. A batch is
 * taken and checked in one statement, so that its end is reported once.
 */
export const notifyOfBatches = async (tx: Transaction<Tables>, limit: number, now: Date): Promise<void> => {
  const taken = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${lock}) AS mine`.execute(tx);
  if (taken.rows[0]?.mine !== true) return;
  const { rows } = await sql<CheckedBatch>`
    WITH taken AS (
      DELETE FROM batch_ends WHERE batch IN (SELECT DISTINCT batch FROM batch_ends LIMIT ${limit}) RETURNING batch
    )
    SELECT batch, complete,
      coalesce((SELECT json_object_agg(state, count) FROM (
        SELECT state, count(*) FROM batch_rows WHERE batch = batches.id GROUP BY state) AS counts), '{}') AS states,
      coalesce((SELECT json_object_agg(outcome, count) FROM (
        SELECT outcome, count(*) FROM sessions
        WHERE batch = batches.id AND NOT superseded AND outcome IS NOT NULL GROUP BY outcome) AS counts), '{}') AS outcomes,
      EXISTS (SELECT FROM sessions WHERE batch = batches.id AND ended_at IS NULL) AS active
    FROM batches WHERE id IN (SELECT batch FROM taken)`.execute(tx);
  for (const checked of rows.filter(hasEnded)) {
    const { id, title, proposal } = checked.batch;
    const { outcomes, states } = checked;
    const notice = { kind: 'batch.ended', at: now.toISOString(), outcomes, rejected: states.rejected ?? 0 } as const;
    const queued = { id: `${id}-${String(now.getTime())}`, subject: id, notice: { notice, title, proposal } };
    await notify(tx, { batch: id, proposal }, [queued], now);
  }
};
