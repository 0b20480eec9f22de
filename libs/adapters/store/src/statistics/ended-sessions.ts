import type { Insertable, Selectable, Transaction } from 'kysely';
import type { RowProgress, Session } from '@fleet/contracts/sessions';
import { labelsOf, outcomeOf, solutionPathOf } from '@fleet/session-report';
import type { Tables } from '../tables';

type Cycle = Pick<
  Selectable<Tables['cycles']>,
  'cycle' | 'program' | 'outcome' | 'analysed_at' | 'core_seconds' | 'gpu_seconds' | 'r_free'
>;

interface Ended {
  readonly session: Omit<Session, 'cycles'>;
  readonly progress: RowProgress;
}

const sumOf = (values: readonly (number | null)[]): number => values.reduce<number>((sum, one) => sum + (one ?? 0), 0);

/** Whole seconds; recovered records may have times from several machines. */
const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));

/** @returns undefined while it runs */
const endedRow = (
  { session, progress }: Ended,
  cycles: readonly Cycle[],
): Insertable<Tables['ended_sessions']> | undefined => {
  const { id, request, status, stop, createdAt, updatedAt } = session;
  const submitted = new Date(createdAt);
  const { proposal, beamline, submitter } = labelsOf({ request });
  const outcome = outcomeOf({ status, stop, fit: progress.fit });
  if (outcome === undefined) return undefined;
  const own = cycles.filter(({ cycle }) => cycle > (request.forkedFrom?.afterCycle ?? 0));
  const succeeded = cycles.flatMap((one) => (one.outcome === 'success' ? (one.program ?? []) : []));
  const measured = own.find(({ r_free: rFree }) => rFree !== null);
  return {
    session: id,
    created_at: submitted,
    proposal,
    beamline,
    submitter,
    outcome,
    resolution: progress.resolution ?? null,
    path: solutionPathOf(new Set(succeeded)),
    to_first_r_free: measured?.analysed_at == null ? null : secondsBetween(submitted, measured.analysed_at),
    to_end: secondsBetween(submitted, new Date(updatedAt)),
    core_seconds: sumOf(own.map(({ core_seconds: seconds }) => seconds)),
    gpu_seconds: sumOf(own.map(({ gpu_seconds: seconds }) => seconds)),
  };
};

/** Adds an ended session with its cycles, and removes a reopened one. */
export const countEnded = async (tx: Transaction<Tables>, ended: Ended): Promise<void> => {
  const { id } = ended.session;
  const cycles = await tx
    .selectFrom('cycles')
    .select(['cycle', 'program', 'outcome', 'analysed_at', 'core_seconds', 'gpu_seconds', 'r_free'])
    .where('session', '=', id)
    .orderBy('cycle')
    .execute();
  await tx.deleteFrom('ended_sessions').where('session', '=', id).execute();
  const row = endedRow(ended, cycles);
  if (row !== undefined) await tx.insertInto('ended_sessions').values(row).execute();
};
