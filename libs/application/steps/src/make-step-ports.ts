import type { SessionHead } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import type { SessionFolderPort, SessionStore } from '@fleet/ports';
import type { StepPorts } from './run-step';
import { SessionKeeper } from './session-keeper';

/** What a worker's steps work with, as its adapters fulfil it. */
export const makeStepPorts = (
  store: SessionStore,
  folder: SessionFolderPort,
  ruleBook: RuleBook,
  wakeUps: { wake(head: SessionHead): Promise<void> },
): StepPorts => ({
  records: store,
  schedule: store,
  keeper: new SessionKeeper(store, folder, ruleBook),
  wake: (head) => wakeUps.wake(head),
});
