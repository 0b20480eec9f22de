import type { StrategyValue } from '@fleet/contracts/schema';
import type { CycleResult } from '@fleet/contracts/sessions';
import {
  knownErrorIn,
  type ErrorClass,
  type ErrorKnowledge,
  type KnownError,
  type LabelKnowledge,
  type RecoverableError,
} from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle } from './workflow-input';

/** Corrections of a program's next command because of its earlier errors. */
export interface Recovery {
  readonly set: Readonly<Record<string, StrategyValue>>;
  readonly dropKeys: readonly string[];
  readonly dropSlots: readonly string[];
  /** Parameters, as the program names them. */
  readonly dropParameters: readonly string[];
  /** One sentence for each error, oldest first. */
  readonly why: readonly string[];
  /** The last failure is one of these errors and within its budget: the program may run again at once. */
  readonly retry: boolean;
}

/** The known error that matches the text of a failed run, if any. */
export const knownErrorOf = (program: string, result: CycleResult, errors: ErrorKnowledge): KnownError | undefined =>
  knownErrorIn([...result.errorLines, result.summary], program, errors);

/** The error class of a failed run. Unknown errors may be transient. */
export const errorClassOf = (program: string, result: CycleResult, errors: ErrorKnowledge): ErrorClass => {
  const known = knownErrorOf(program, result, errors);
  if (known !== undefined) return known.class;
  const text = result.errorLines.join('\n').toLowerCase();
  return errors.terminal_words.some((word) => text.includes(word.toLowerCase())) ? 'terminal' : 'retryable';
};

/** Arrays as programs list them: `/data/x.mtz:IMEAN,SIGIMEAN`. */
const listedArray = /\.(?:mtz|hkl|sca|cif):(\S+)/gi;

const listedArrays = ({ errorLines }: CycleResult): readonly string[] =>
  errorLines.flatMap((line) => [...line.matchAll(listedArray)].map((match) => match[1] ?? ''));

const mentions = (text: string, words: readonly string[]): boolean =>
  words.some((word) => new RegExp(`\\b${word.replace(/[^\w ]/g, '.')}\\b`, 'i').test(text));

/** Whether anomalous data are needed: the program's definition decides, otherwise the advice. */
const wantsAnomalous = (program: string, advice: string, labels: LabelKnowledge): boolean => {
  if (labels.anomalous_programs.includes(program)) return true;
  return !labels.merged_programs.includes(program) && mentions(advice, labels.anomalous_words);
};

const isAnomalous = (array: string, { anomalous }: LabelKnowledge): boolean =>
  anomalous.some((part) => array.toLowerCase().includes(part)) || /^HL?anom/i.test(array);

interface Case {
  readonly program: string;
  readonly result: CycleResult;
  readonly advice: string;
}

interface Change {
  readonly set?: Readonly<Record<string, StrategyValue>>;
  readonly dropKeys?: readonly string[];
  readonly dropSlots?: readonly string[];
  readonly dropParameters?: readonly string[];
  readonly what: string;
}

/** The array of the needed kind, otherwise the first in the list. */
const chosenArray = (
  { program, advice }: Case,
  arrays: readonly string[],
  labels: LabelKnowledge,
): string | undefined => {
  const anomalous = wantsAnomalous(program, advice, labels);
  return arrays.find((array) => isAnomalous(array, labels) === anomalous) ?? arrays[0];
};

/** The first label that no other array has: all labels of a CIF file begin with the name of their data block. */
const mainLabel = (array: string, arrays: readonly string[]): string | undefined => {
  const others = new Set(arrays.filter((other) => other !== array).flatMap((other) => other.split(',')));
  const own = array.split(',');
  return own.find((label) => !others.has(label)) ?? own[0];
};

/** Observations are identified by their main label, phases by all labels, because HLanomA also begins with HLA. Each has its own key. */
const chosenLabel = (one: Case, choice: 'data_labels' | 'phase_labels', labels: LabelKnowledge): Change | undefined => {
  const { key, phase_key } = labels;
  const isPhases = choice === 'phase_labels';
  const name = isPhases ? phase_key[one.program] : (key[one.program] ?? key.default);
  const arrays = listedArrays(one.result);
  const array = chosenArray(one, arrays, labels);
  const label = isPhases || array === undefined ? array : mainLabel(array, arrays);
  if (label === undefined || name === undefined) return undefined;
  return { set: { [name]: label }, what: `uses the array ${label}` };
};

/** Parameters that the error lines name. */
const namedParameters = ({ errorLines, summary }: CycleResult, patterns: readonly string[]): readonly string[] => {
  const lines = [...errorLines, summary];
  const found = patterns.flatMap((pattern) =>
    lines.flatMap((line) => new RegExp(pattern, 'i').exec(line)?.groups?.['parameter'] ?? []),
  );
  return [...new Set(found)];
};

const withoutNamed = (result: CycleResult, patterns: readonly string[]): Change | undefined => {
  const dropParameters = namedParameters(result, patterns);
  return dropParameters.length === 0 ? undefined : { dropParameters, what: `leaves out ${dropParameters.join(', ')}` };
};

const changeOf = (one: Case, { action }: RecoverableError, labels: LabelKnowledge): Change | undefined => {
  if ('set' in action) return { set: action.set, what: `sets ${Object.keys(action.set).join(', ')}` };
  if ('drop_keys' in action) return { dropKeys: action.drop_keys, what: `leaves out ${action.drop_keys.join(', ')}` };
  if ('drop_slots' in action)
    return { dropSlots: action.drop_slots, what: `leaves out ${action.drop_slots.join(', ')}` };
  if ('drop_named' in action) return withoutNamed(one.result, action.drop_named);
  return chosenLabel(one, action.choose, labels);
};

const nothing: Recovery = { set: {}, dropKeys: [], dropSlots: [], dropParameters: [], why: [], retry: false };

const addCorrections = (known: Recovery, change: Change, cycle: number, id: string): Recovery => ({
  set: { ...known.set, ...change.set },
  dropKeys: [...known.dropKeys, ...(change.dropKeys ?? [])],
  dropSlots: [...known.dropSlots, ...(change.dropSlots ?? [])],
  dropParameters: [...known.dropParameters, ...(change.dropParameters ?? [])],
  why: [...known.why, `${id} in cycle ${cycle}: the next run ${change.what}`],
  retry: true,
});

/**
 * Corrections of a program's next command, derived from its own failures in the record. Errors beyond their budget add nothing.
 * @param own cycles of one program, oldest first
 * @param advice the submitter's advice text
 */
export const recoveryOf = (
  own: readonly AnalysedCycle[],
  errors: ErrorKnowledge,
  advice: string,
): Recovery | undefined => {
  if (own.every(succeeded)) return undefined;
  const counts = new Map<string, number>();
  let recovery = nothing;
  for (const { cycle, result, decision } of own) {
    recovery = { ...recovery, retry: false };
    const error = result.outcome === 'failed' ? knownErrorOf(decision.program, result, errors) : undefined;
    const rule = errors.recoverable.find(({ id }) => id === error?.id);
    if (rule === undefined) continue;
    const count = (counts.get(rule.id) ?? 0) + 1;
    counts.set(rule.id, count);
    const change = changeOf({ program: decision.program, result, advice }, rule, errors.labels);
    if (change !== undefined && count <= rule.retries) recovery = addCorrections(recovery, change, cycle, rule.id);
  }
  return recovery.why.length === 0 ? undefined : recovery;
};
