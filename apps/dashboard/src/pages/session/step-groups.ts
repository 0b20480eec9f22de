import type { CycleRecord } from '@fleet/contracts/sessions';

/** Cycles of the same step of the workflow, one after the other. */
export interface StepGroup {
  readonly step: string;
  readonly cycles: readonly number[];
  readonly state: 'complete' | 'active' | 'failed';
}

const stateOfCycle = ({ result }: Pick<CycleRecord, 'result'>, isRunning: boolean): StepGroup['state'] => {
  if (result === undefined) return isRunning ? 'active' : 'failed';
  return result.outcome === 'success' ? 'complete' : 'failed';
};

/** The steps that a session went through, in order; what its last cycle came to is what each came to. */
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
