import { metricValue, type AttemptRecord, type CycleRecord } from '@fleet/contracts/sessions';

/** Columns of a cycle for statistics. */
export interface CycleColumns {
  program: string | null;
  outcome: 'success' | 'failed' | null;
  started_at: Date | null;
  ended_at: Date | null;
  analysed_at: Date | null;
  core_seconds: number | null;
  gpu_seconds: number | null;
  r_free: number | null;
}

const secondsOf = ({ ending }: AttemptRecord): number => (ending?.durationMs ?? 0) / 1000;

const dateOf = (time: string | undefined): Date | null => (time === undefined ? null : new Date(time));

/**
 * Every ended attempt counts, whatever its ending: it used its cores until then. Records of older releases contain no
 * cores.
 */
const usageOf = ({ attempts }: CycleRecord): Pick<CycleColumns, 'core_seconds' | 'gpu_seconds'> => ({
  core_seconds: attempts.reduce((sum, one) => sum + secondsOf(one) * (one.resources?.cpus ?? 0), 0),
  gpu_seconds: attempts.reduce((sum, one) => sum + (one.resources?.class === 'gpu' ? secondsOf(one) : 0), 0),
});

/** @param isCopy of a fork: the hours belong to the session that it was forked from */
export const columnsOfCycle = (record: CycleRecord, isCopy: boolean): CycleColumns => {
  const { decision, attempts, result } = record;
  const usage = isCopy ? { core_seconds: null, gpu_seconds: null } : usageOf(record);
  return {
    program: decision.program,
    outcome: result?.outcome ?? null,
    started_at: dateOf(attempts[0]?.startedAt),
    ended_at: dateOf(attempts.at(-1)?.ending?.endedAt),
    analysed_at: dateOf(result?.analysedAt),
    ...usage,
    r_free: metricValue(result, 'r_free') ?? null,
  };
};
