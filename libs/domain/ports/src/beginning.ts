import type { CycleRecord, SessionHead, SessionStop } from '@fleet/contracts/sessions';
import type { NewSession } from './session-records.port';

type Beginning = Pick<SessionHead, 'status' | 'stage' | 'cycle' | 'attempt'> & {
  readonly cycles: readonly CycleRecord[];
  readonly stop?: SessionStop;
};

/** Where a session begins: at its first decision, or at the position that `recover` gives. */
export const beginningOf = ({ resume }: NewSession): Beginning =>
  resume ?? { status: 'running', stage: 'deciding', cycle: 1, attempt: 1, cycles: [] };
