import type { SessionOutcome, SessionRow } from '@fleet/contracts/sessions';

/** Every state that a person tells apart; docs/outcomes.md has the outcomes. The last three are those of rows of a batch. */
export type StateKind =
  SessionOutcome | 'waiting' | 'starting' | 'running' | 'cancelling' | 'checked' | 'to_come' | 'duplicate';

type RowState = Pick<SessionRow, 'status' | 'stage' | 'cycle'> & {
  readonly outcome?: SessionOutcome | undefined;
  /** Why its program has not started yet, or its next decision is not made. */
  readonly waiting?: string | true | undefined;
};

const kindOfStatus: Readonly<Record<string, StateKind>> = {
  cancelling: 'cancelling',
  completed: 'unknown',
  unsatisfactory: 'unsatisfactory',
  failed: 'failed_science',
  cancelled: 'cancelled',
};

/** A status or an outcome that a newer gateway has added is shown as one that nothing is known about. */
export const stateOf = ({ status, stage, cycle, outcome, waiting }: RowState): StateKind => {
  if (outcome !== undefined) return outcome;
  if (status !== 'running') return kindOfStatus[status] ?? 'unknown';
  if (stage !== 'analysing' && waiting !== undefined) return 'waiting';
  return cycle === 1 && stage === 'deciding' ? 'starting' : 'running';
};
