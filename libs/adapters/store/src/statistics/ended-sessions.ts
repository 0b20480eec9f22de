import type { Insertable } from 'kysely';
import type { CycleRecord, RowProgress, Session } from '@fleet/contracts/sessions';
import { labelsOf, outcomeOf, solutionPathOf } from '@fleet/session-report';
import { columnsOfCycle } from './cycle-columns';
import type { StatisticsTables } from './statistics-tables';

interface Ended {
  readonly session: Omit<Session, 'cycles'>;
  readonly progress: RowProgress;
}

const sumOf = (values: readonly (number | null)[]): number => values.reduce<number>((sum, one) => sum + (one ?? 0), 0);

/** Whole seconds; recovered records may have times from several machines. */
const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));

/** The row of an ended session. @returns undefined while it runs */
export const endedRow = (
  { session, progress }: Ended,
  cycles: readonly CycleRecord[],
): Insertable<StatisticsTables['ended_sessions']> | undefined => {
  const { id, request, status, stop, createdAt, updatedAt } = session;
  const submitted = new Date(createdAt);
  const { proposal, beamline, submitter } = labelsOf({ request });
  const outcome = outcomeOf({ status, stop, fit: progress.fit });
  if (outcome === undefined) return undefined;
  const copied = request.forkedFrom?.afterCycle ?? 0;
  const own = cycles.filter(({ cycle }) => cycle > copied).map((record) => columnsOfCycle(record, false));
  const succeeded = cycles.flatMap(({ decision, result }) => (result?.outcome === 'success' ? decision.program : []));
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
