import type { CycleRecord } from '@fleet/contracts/sessions';

/** Consecutive cycles in the same step of the workflow. */
export interface StepGroup {
  readonly step: string;
  readonly cycles: readonly number[];
  readonly state: 'complete' | 'active' | 'failed';
}

const stateOfCycle = ({ result }: Pick<CycleRecord, 'result'>, isRunning: boolean): StepGroup['state'] => {
  if (result === undefined) return isRunning ? 'active' : 'failed';
  return result.outcome === 'success' ? 'complete' : 'failed';
};

/** The steps of a session, in order; each has the state of its last cycle. */
export const stepGroups = (
  cycles: readonly Pick<CycleRecord, 'cycle' | 'decision' | 'result'>[],
  isRunning: boolean,
): readonly StepGroup[] => {
  const groups: StepGroup[] = [];
  for (const record of cycles) {
    const { step } = record.decision;
    const last = groups.at(-1);
    const isSame = last?.step === step;
    const before = isSame ? last.cycles : [];
    if (isSame) groups.pop();
    groups.push({ step, cycles: [...before, record.cycle], state: stateOfCycle(record, isRunning) });
  }
  return groups;
};
