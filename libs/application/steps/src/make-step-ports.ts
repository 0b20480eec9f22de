import type { SessionHead } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import type { SessionFolderPort, SessionRecords, StepSchedule } from '@fleet/ports';
import type { StepPorts } from './run-step';
import { SessionKeeper } from './session-keeper';

/** What a worker's steps work with, as its adapters fulfil it. */
export const makeStepPorts = (
  { records, schedule }: { readonly records: SessionRecords; readonly schedule: StepSchedule },
  folder: SessionFolderPort,
  ruleBook: RuleBook,
  wakeUps: { wake(head: SessionHead): Promise<void> },
): StepPorts => ({
  records,
  schedule,
  keeper: new SessionKeeper(records, folder, ruleBook),
  wake: (head) => wakeUps.wake(head),
});
