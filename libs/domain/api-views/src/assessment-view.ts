import type {
  AssessmentPart,
  AssessmentView,
  KeptAssessment,
  KeptLogSummary,
  LogSummaryPart,
  LogSummaryView,
} from '@fleet/contracts/results';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import type { ModelWish } from '@fleet/ports';

/** What every text has that models write on demand. */
interface Kept<P> {
  readonly writtenAt: string;
  readonly parts?: readonly P[];
  readonly failed?: string;
  readonly why?: string;
}

/** What models have to do with it. */
interface ByModels<T> {
  /** Undefined: none is asked just now. */
  readonly wish: Pick<ModelWish, 'requestedAt'> | undefined;
  /** The outcome of the last wish that was answered. */
  readonly kept: T | undefined;
}

interface ByRules<P> {
  readonly parts: readonly P[];
  /** When they were written: now. */
  readonly at: string;
}

/** Who has written it, and how it stands; wherever no model has written it, it is the rules' as of now. */
const writtenView = <P, T extends Kept<P>>(rules: ByRules<P>, { wish, kept }: ByModels<T>) => {
  const byRules = { writtenAt: rules.at, writtenBy: 'rules', parts: rules.parts } as const;
  if (wish !== undefined)
    return { ...byRules, state: 'pending', requestedAt: new Date(wish.requestedAt).toISOString() } as const;
  if (kept === undefined) return { ...byRules, state: 'ready' } as const;
  const { parts, failed, why } = kept;
  if (parts !== undefined) return { ...kept, parts, state: 'ready', writtenBy: 'model' } as const;
  const failure = {
    ...(failed !== undefined && { failed: failed as NonNullable<T['failed']> }),
    ...(why !== undefined && { why }),
  };
  return { ...byRules, state: 'failed', ...failure } as const;
};

/** The newest assessment of a session. */
export const toAssessmentView = (
  { id, status, version }: Pick<Session, 'id' | 'status' | 'version'>,
  rules: ByRules<AssessmentPart>,
  models: ByModels<KeptAssessment>,
): AssessmentView => ({ id, status, version, ...writtenView(rules, models) });

/** The newest summary of the log of a finished cycle. */
export const toLogSummaryView = (
  { id, record }: { readonly id: string; readonly record: Pick<CycleRecord, 'cycle' | 'decision'> },
  rules: ByRules<LogSummaryPart>,
  models: ByModels<KeptLogSummary>,
): LogSummaryView => ({
  id,
  cycle: record.cycle,
  program: record.decision.program,
  ...writtenView(rules, models),
});
