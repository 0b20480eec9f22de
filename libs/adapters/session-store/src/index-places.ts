import type { NewSession } from '@fleet/ports';
import { outcomeOf, progressOf } from '@fleet/session-report';
import { beginningOf } from './beginning';
import type { Keys } from './keys';

/** The indexes in which a new session stands; one that `recover` makes again may have ended. */
export const indexesOf = (keys: Keys, made: NewSession): readonly string[] => {
  const { status, stop, cycles } = beginningOf(made);
  const { proposal, beamline, submitter, batch } = made.request;
  const outcome = outcomeOf({ status, stop, fit: progressOf({ request: made.request, cycles }).fit });
  return [
    keys.all,
    keys.ofStatus(status),
    keys.ofProposal(proposal),
    keys.ofBeamline(beamline),
    ...(submitter === '' ? [] : [keys.ofSubmitter(submitter)]),
    ...(batch === undefined ? [] : [keys.ofBatch(batch)]),
    ...(outcome === undefined ? [] : [keys.ofOutcome(outcome)]),
  ];
};
