import type { Session, WaitingDecision } from '@fleet/contracts/sessions';

/** What a decision waits for, after a word like "waits". */
export const waitingDecisionText = ({ since, reason }: WaitingDecision): string =>
  `for a language model since ${since.slice(0, 19)}Z: ${reason}`;

/** What a running session waits for: a slot for its program, or a language model; undefined if it does not wait. */
export const waitingReason = ({ stage, cycles, waiting }: Session): string | undefined => {
  if (stage === 'executing') return cycles.at(-1)?.waiting?.reason;
  return waiting === undefined ? undefined : waitingDecisionText(waiting);
};
