import type { SessionOutcome } from '@fleet/contracts';
import { contentDigests } from '@fleet/files';
import { beginningOf, type NewSession } from '@fleet/ports';
import { outcomeOf, progressOf } from '@fleet/session-report';
import type { Keys } from './keys';

/** What came of a session that `recover` makes again; undefined where it goes on. */
export const outcomeOfNew = (made: NewSession): SessionOutcome | undefined => {
  const { status, stop, cycles } = beginningOf(made);
  return outcomeOf({ status, stop, fit: progressOf({ request: made.request, cycles }).fit });
};

/** The indexes in which a new session stands; one that `recover` makes again may have ended. */
export const indexesOf = (keys: Keys, made: NewSession): readonly string[] => {
  const { status } = beginningOf(made);
  const { proposal, beamline, submitter, batch } = made.request;
  const outcome = outcomeOfNew(made);
  const content = contentDigests(made);
  return [
    keys.all,
    keys.ofStatus(status),
    keys.ofProposal(proposal),
    keys.ofBeamline(beamline),
    ...(submitter === '' ? [] : [keys.ofSubmitter(submitter)]),
    ...(batch === undefined ? [] : [keys.ofBatch(batch)]),
    ...(outcome === undefined ? [] : [keys.ofOutcome(outcome)]),
    ...(content === undefined ? [] : [keys.ofContent(content.data), keys.ofContent(content.everything)]),
  ];
};
