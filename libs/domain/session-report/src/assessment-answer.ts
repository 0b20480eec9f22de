import type { AssessmentView } from '@fleet/contracts';

/**
 * Whether a model wrote it, and not for an earlier wish: where the site has no model for it, a wish goes with nothing written.
 * @param askedAt undefined: no model was asked for this one
 */
export const isAnswered = (
  { writtenBy, writtenAt }: Pick<AssessmentView, 'writtenBy' | 'writtenAt'>,
  askedAt: string | undefined,
): boolean => writtenBy === 'model' && (askedAt === undefined || Date.parse(writtenAt) >= Date.parse(askedAt));
