import type { AttemptEnding, CycleRecord, CycleResult, Metric, SessionFile } from '@fleet/contracts/sessions';
import { baseName, matchesGlob } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import { failureOf, type LogReading } from '@fleet/log-parsing';
import { metricsSentence } from '@fleet/session-report';

/** Everything that a run left behind. */
export interface RunEvidence {
  readonly ending: AttemptEnding;
  readonly reading: LogReading;
  readonly files: readonly SessionFile[];
  /** What was not looked at or kept, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Metrics that are reported in the one sentence about a cycle. */
const toldMetrics = 4;

/** What the program had to leave and did not: nothing, or the first thing on its list. */
const missingOutputs = (program: string, files: readonly SessionFile[], ruleBook: RuleBook): readonly string[] => {
  const required = (ruleBook.programs[program]?.outputs ?? []).filter(({ optional }) => optional !== true);
  const left = files.some(({ path }) => required.some(({ pattern }) => matchesGlob(baseName(path), pattern)));
  return left ? [] : required.slice(0, 1).map(({ what }) => what);
};

const successSentence = (program: string, metrics: readonly Metric[], ruleBook: RuleBook): string =>
  metricsSentence(program, metrics, ruleBook, toldMetrics) || (ruleBook.summary.steps[program]?.done ?? 'Completed');

/** Whether the run did its work, with metrics, files and, where it failed, the cause and the lines that state it. */
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
