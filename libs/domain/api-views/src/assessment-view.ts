import type {
  AssessmentPart,
  AssessmentView,
  StoredAssessment,
  StoredLogSummary,
  LogSummaryPart,
  LogSummaryView,
} from '@fleet/contracts/results';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import type { TextRequest } from '@fleet/ports';

/** Common fields of on-demand texts from models. */
interface StoredWriting<P> {
  readonly writtenAt: string;
  readonly parts?: readonly P[];
  readonly failed?: string;
  readonly why?: string;
}

/** The model's part of a text. */
interface ByModels<T> {
  /** Undefined: no pending request. */
  readonly request: Pick<TextRequest, 'requestedAt'> | undefined;
  /** The outcome of the last request that was answered. */
  readonly kept: T | undefined;
}

interface ByRules<P> {
  readonly parts: readonly P[];
  /** When they were written: now. */
  readonly at: string;
}

/** The author of a text, and its state; without a text from a model the rules' current one is used. */
const writtenView = <P, T extends StoredWriting<P>>(rules: ByRules<P>, { request, kept }: ByModels<T>) => {
  const byRules = { writtenAt: rules.at, writtenBy: 'rules', parts: rules.parts } as const;
  if (request !== undefined)
    return { ...byRules, state: 'pending', requestedAt: new Date(request.requestedAt).toISOString() } as const;
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
  models: ByModels<StoredAssessment>,
): AssessmentView => ({ id, status, version, ...writtenView(rules, models) });

/** The newest summary of the log of a finished cycle. */
export const toLogSummaryView = (
  { id, record }: { readonly id: string; readonly record: Pick<CycleRecord, 'cycle' | 'decision'> },
  rules: ByRules<LogSummaryPart>,
  models: ByModels<StoredLogSummary>,
): LogSummaryView => ({
  id,
  cycle: record.cycle,
  program: record.decision.program,
  ...writtenView(rules, models),
});
