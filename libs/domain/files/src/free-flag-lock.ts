import type { Session, SessionFile } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { isObservation } from './descendants';
import { inOrder } from './file-order';
import { freeSetFor } from './free-set-apart';
import { sessionFiles, succeededCycles } from './session-files';

const hasFreeSet = (file: SessionFile): boolean => file.facts.mtz?.freeFlag !== undefined && isObservation(file);

/**
 * The reflection file that every refinement must use, or undefined while no file has free flags.
 * Every refinement must use the same free set, or R-free loses its meaning. The rule:
 * 1. after the first success of a program that generates it (`draws_free_set`): the data file that this first run wrote
 * (`refine_001_data.mtz`; observations and flags), because it contains the flags of its input, or generated ones; later runs never change the
 * lock;
 * 2. before that, or if that run wrote none: the submitted file with observations and flags, the first of `inOrder`; without one, the
 * submitted data whose test set is in a separate file (`freeSetFor`); without that, the earliest output with observations and flags. The
 * result depends only on the record, so that a recovered session has the same lock.
 */
export const lockedFreeFlagData = (
  session: Pick<Session, 'request' | 'cycles'>,
  programs: RuleBook['programs'],
): SessionFile | undefined => {
  const firstRefinement = succeededCycles(session).find(
    ({ decision }) => programs[decision.program]?.draws_free_set !== undefined,
  );
  const submitted = inOrder(session.request.inputs);
  return (
    firstRefinement?.result.outputs.find(hasFreeSet) ??
    submitted.find(hasFreeSet) ??
    submitted.find((file) => freeSetFor(file, submitted) !== undefined) ??
    sessionFiles(session).find(hasFreeSet)
  );
};
