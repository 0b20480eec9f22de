import type { AssessmentView } from '@fleet/contracts/results';

/**
 * Whether a model wrote it, and not for an earlier wish: where the site has no model for it, a wish goes with nothing written.
 * @param requestedAt undefined: no model was asked for this one
 */
export const isAnswered = (
  { writtenBy, writtenAt }: Pick<AssessmentView, 'writtenBy' | 'writtenAt'>,
  requestedAt: string | undefined,
): boolean => writtenBy === 'model' && (requestedAt === undefined || Date.parse(writtenAt) >= Date.parse(requestedAt));
