import type { AssessmentPart, AssessmentView, KeptAssessment, Session } from '@fleet/contracts';
import type { AssessmentWish } from '@fleet/ports';

/** What models have to do with it. */
interface ByModels {
  /** Undefined: none is asked just now. */
  readonly wish: Pick<AssessmentWish, 'askedAt'> | undefined;
  /** What came of the last wish that was answered. */
  readonly kept: KeptAssessment | undefined;
}

/** The newest assessment of a session; wherever no model has written it, the one of the rules as of now. */
export const toAssessmentView = (
  { id, status, version }: Pick<Session, 'id' | 'status' | 'version'>,
  rules: { readonly parts: readonly AssessmentPart[]; readonly at: string },
  { wish, kept }: ByModels,
): AssessmentView => {
  const byRules = { id, status, version, writtenAt: rules.at, writtenBy: 'rules', parts: rules.parts } as const;
  if (wish !== undefined) return { ...byRules, state: 'asked', askedAt: new Date(wish.askedAt).toISOString() };
  if (kept === undefined) return { ...byRules, state: 'ready' };
  const { parts, failed, why } = kept;
  if (parts !== undefined) return { id, ...kept, parts, state: 'ready', writtenBy: 'model' };
  return { ...byRules, state: 'failed', ...(failed !== undefined && { failed }), ...(why !== undefined && { why }) };
};
