import type { SessionOutcome, SessionRow } from '@fleet/contracts/sessions';

/** All displayed states; docs/outcomes.md explains the outcomes. The last three are those of batch rows. */
export type StateKind =
  SessionOutcome | 'waiting' | 'starting' | 'running' | 'cancelling' | 'checked' | 'to_come' | 'duplicate';

type RowState = Pick<SessionRow, 'status' | 'stage' | 'cycle'> & {
  readonly outcome?: SessionOutcome | undefined;
  /** Why its program has not started, or its next decision is pending. */
  readonly waiting?: string | true | undefined;
};

const kindOfStatus: Readonly<Record<string, StateKind>> = {
  cancelling: 'cancelling',
  completed: 'unknown',
  unsatisfactory: 'unsatisfactory',
  failed: 'failed_science',
  cancelled: 'cancelled',
};

/** An unknown status or outcome of a newer gateway is shown as unknown. */
export const stateOf = ({ status, stage, cycle, outcome, waiting }: RowState): StateKind => {
  if (outcome !== undefined) return outcome;
  if (status !== 'running') return kindOfStatus[status] ?? 'unknown';
  if (stage !== 'analysing' && waiting !== undefined) return 'waiting';
  return cycle === 1 && stage === 'deciding' ? 'starting' : 'running';
};
