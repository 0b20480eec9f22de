import type { SimilarSession } from '@fleet/contracts/sessions';

/** Tells the submitter of a known dataset where its results are; empty for a new one. */
export const similarSentence = (similar: readonly SimilarSession[]): string => {
  const [first] = similar;
  if (first === undefined) return '';
  const { sessionId, same, outcome, status } = first;
  const what =
    same === 'everything'
      ? 'The same was submitted before'
      : 'The same data were submitted before, with other files, settings or advice';
  const all = similar.filter((one) => one.same === same).length;
  const others = all === 1 ? '' : ' and others';
  return `${what}: session ${sessionId} (${outcome ?? status})${others}.`;
};
