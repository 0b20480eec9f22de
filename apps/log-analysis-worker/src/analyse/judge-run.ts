import type { AttemptEnding, CycleRecord, CycleResult, Metric, SessionFile } from '@fleet/contracts/sessions';
import { baseName, matchesGlob } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import { failureOf, type LogReading } from '@fleet/log-parsing';
import { metricsSentence } from '@fleet/session-report';

/** Everything that a run produced. */
export interface RunEvidence {
  readonly ending: AttemptEnding;
  readonly reading: LogReading;
  readonly files: readonly SessionFile[];
  /** What was skipped, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Number of metrics in the one-sentence report of a cycle. */
const shownMetrics = 4;

/** The first required output that is missing; undefined if there is none. */
const missingOutputs = (program: string, files: readonly SessionFile[], ruleBook: RuleBook): readonly string[] => {
  const required = (ruleBook.programs[program]?.outputs ?? []).filter(({ optional }) => optional !== true);
  const left = files.some(({ path }) => required.some(({ pattern }) => matchesGlob(baseName(path), pattern)));
  return left ? [] : required.slice(0, 1).map(({ what }) => what);
};

const successSentence = (program: string, metrics: readonly Metric[], ruleBook: RuleBook): string =>
  metricsSentence(program, metrics, ruleBook, shownMetrics) || (ruleBook.summary.steps[program]?.done ?? 'Completed');

/** Whether the run succeeded, with metrics, files and, for a failure, the cause and the log lines that state it. */
export const judgeRun = (
  { decision }: Pick<CycleRecord, 'decision'>,
  { ending, reading, files, leftOut }: RunEvidence,
  ruleBook: RuleBook,
  analysedAt: string,
): CycleResult => {
  const missing = missingOutputs(decision.program, files, ruleBook);
  const failure = failureOf(
    { program: decision.program, ending, log: reading, missingOutputs: missing },
    ruleBook.errors,
  );
  const { metrics } = reading;
  return {
    outcome: failure === undefined ? 'success' : 'failed',
    summary: failure?.cause ?? successSentence(decision.program, metrics, ruleBook),
    metrics,
    outputs: files,
    errorLines: failure?.lines ?? [],
    ...(leftOut.length > 0 && { leftOut }),
    analysedAt,
  };
};
