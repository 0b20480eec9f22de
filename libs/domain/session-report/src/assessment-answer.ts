import type { AssessmentView } from '@fleet/contracts/results';

/**
 * Whether a model wrote it for this request: if the site has no model for it, a request expires without a text.
 * @param requestedAt undefined: no model was asked
 */
export const isAnswered = (
  { writtenBy, writtenAt }: Pick<AssessmentView, 'writtenBy' | 'writtenAt'>,
  requestedAt: string | undefined,
): boolean => writtenBy === 'model' && (requestedAt === undefined || Date.parse(writtenAt) >= Date.parse(requestedAt));
