import type { CycleRecord, CycleResult, ExperimentType, Metric, SessionFile } from '@fleet/contracts/sessions';
import type { InputSlot, RuleBook } from '@fleet/knowledge-model';
import { metricsOfReport, statesFailure, withoutMetricsReport } from '@fleet/log-parsing';
import { knownErrorOf } from '@fleet/workflow';
import type { HistoryEntry } from '../request/read-request';
import { verdictOf } from './log-verdict';
import type { LogContent } from './read-log';
import { splitCommand } from './split-command';

/** The input for a cycle record; the client's times are unknown. */
export interface HistoryContext {
  readonly ruleBook: RuleBook;
  readonly experiment: ExperimentType;
  readonly now: string;
  /** All files that the client named, by path. */
  readonly files: ReadonlyMap<string, SessionFile>;
  /** The newest model of earlier cycles: assumed as the input of a command that names no known model. */
  readonly latestModel?: SessionFile;
}

/** Line number of a metric that the client sent: it has no line in a log. */
const fromClient = 0;

const metricsOf = ({ analysis, metrics, result }: HistoryEntry, { metrics: read }: LogContent): readonly Metric[] => {
  const given = Object.entries({ ...metrics, ...analysis }).map(([name, value]): Metric => ({
    name,
    value,
    line: fromClient,
    pattern: 'client',
  }));
  // The client read its whole log; the log in the request may be truncated. The first of several values counts.
  const all = [...given, ...read, ...metricsOfReport(result)];
  return [...new Map(all.toReversed().map((metric) => [metric.name, metric])).values()].toReversed();
};

/** The result of a cycle; for a failed one its text, the failure in its log, and its explanation. */
const resultOf = (
  { program, result }: Pick<HistoryEntry, 'program' | 'result'>,
  log: LogContent,
  found: Pick<CycleResult, 'metrics' | 'outputs' | 'analysedAt'>,
  { errors }: RuleBook,
): CycleResult => {
  const text = withoutMetricsReport(result);
  const resulted = found.metrics.length > 0 || found.outputs.length > 0;
  const textResult = text === '' ? 'nothing' : statesFailure(text, program, resulted, errors) ? 'failed' : 'success';
  const { failed, lines } = verdictOf(program, textResult, log, errors);
  if (!failed) return { outcome: 'success', summary: text, errorLines: [], ...found };
  const stated = textResult === 'failed' ? text : (lines[0] ?? '').trim();
  const errorLines = [...(textResult === 'failed' ? [text] : []), ...lines];
  const failure: CycleResult = { outcome: 'failed', summary: stated, errorLines, ...found };
  const known = knownErrorOf(program, failure, errors);
  return known === undefined ? failure : { ...failure, summary: `${stated} ${known.means} ${known.remedy}` };
};

const valueAt = (token: string, flag: string): string | undefined =>
  token.startsWith(`${flag}=`) ? token.slice(flag.length + 1) : undefined;

/** The client's files in a command, with their slots. */
const inputsOf = (
  argv: readonly string[],
  slots: readonly InputSlot[],
  files: HistoryContext['files'],
): CycleRecord['decision']['inputs'] => {
  const free = slots.filter(({ flag }) => flag === undefined);
  const taken = new Set<string>();
  return [...new Set(argv.slice(1))].flatMap((token) => {
    const flagged = slots.find(({ flag }) => flag !== undefined && files.has(valueAt(token, flag) ?? ''));
    if (flagged?.flag !== undefined) return [{ slot: flagged.slot, path: valueAt(token, flagged.flag) ?? '' }];
    const format = files.get(token)?.facts.format;
    if (format === undefined) return [];
    const slot = free.find((one) => one.formats.includes(format) && (one.multiple === true || !taken.has(one.slot)));
    taken.add(slot?.slot ?? '');
    return [{ slot: slot?.slot ?? 'other', path: token }];
  });
};

const modelFormats: ReadonlySet<string> = new Set(['pdb', 'mmcif-model']);

const isModelSlot = ({ formats }: InputSlot): boolean => formats.some((format) => modelFormats.has(format));

/** Clients rename and truncate: a program that needs a model and names none of these files is assumed to have used the newest one. */
const withLatestModel = (
  inputs: CycleRecord['decision']['inputs'],
  slots: readonly InputSlot[],
  { files, latestModel }: HistoryContext,
): CycleRecord['decision']['inputs'] => {
  const slot = slots.find((one) => one.required === true && isModelSlot(one));
  const named = inputs.some(({ path }) => modelFormats.has(files.get(path)?.facts.format ?? ''));
  return slot === undefined || latestModel === undefined || named
    ? inputs
    : [...inputs, { slot: slot.slot, path: latestModel.path }];
};

/** A cycle that the client ran, as this service records its own. */
export const cycleOfHistory = (
  entry: HistoryEntry,
  cycle: number,
  outputs: readonly SessionFile[],
  log: LogContent,
  context: HistoryContext,
): CycleRecord => {
  const argv = splitCommand(entry.command);
  const slots = context.ruleBook.programs[entry.program]?.inputs ?? [];
  return {
    cycle,
    decision: {
      program: entry.program,
      argv,
      reasoning: 'decided before this request',
      experimentType: context.experiment,
      workflowState: '',
      step: '',
      inputs: withLatestModel(inputsOf(argv, slots, context.files), slots, context),
      strategy: {},
      validPrograms: [],
      notOffered: [],
      decidedBy: 'rules',
      confidence: 'high',
      decidedAt: context.now,
    },
    attempts: [],
    result: resultOf(
      entry,
      log,
      { metrics: metricsOf(entry, log), outputs, analysedAt: context.now },
      context.ruleBook,
    ),
  };
};
