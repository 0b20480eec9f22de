import type { Session, WaitingDecision } from '@fleet/contracts';

/** What a session waits for before it can decide, behind a word like "waits". */
export const waitingDecisionText = ({ since, because }: WaitingDecision): string =>
  `for a language model since ${since.slice(0, 19)}Z: ${because}`;

/** What a session that runs waits for: a place for its program, or a language model; undefined where it does not wait. */
export const waitingReason = ({ stage, cycles, waiting }: Session): string | undefined => {
  if (stage === 'executing') return cycles.at(-1)?.waiting?.because;
  return waiting === undefined ? undefined : waitingDecisionText(waiting);
};
