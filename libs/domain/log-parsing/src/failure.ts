import type { AttemptEnding } from '@fleet/contracts';
import { knownErrorIn, type ErrorKnowledge } from '@fleet/knowledge-model';

/** Why a run counts as failed. */
export interface Failure {
  /** One sentence for the user. */
  readonly cause: string;
  /** Lines of the log that state it, at most 20. */
  readonly lines: readonly string[];
  /** Id of the known error, where the text was recognised. */
  readonly known?: string;
}

export interface FailureEvidence {
  /** Exact name; what other programs mean by the same words says nothing here. */
  readonly program: string;
  /** Without an exit code (a log alone) the last words of the log decide. */
  readonly ending: AttemptEnding;
  /** The last lines of the log, oldest first. */
  readonly tail: readonly string[];
  /** What the program had to leave and did not; empty when it left something or has nothing to leave. */
  readonly missingOutputs: readonly string[];
  /** Whether its log gave a metric: who measured something has got over what it complains of. */
  readonly measured: boolean;
}

const maxLines = 20;
/** A run that exited with 0 is judged by its last words alone; what it says in the middle it has got over. */
const lastWords = 50;
/** Without a line that states the error, the end of the log is shown. */
const shownEnd = 5;

const states = (line: string, words: readonly string[]): boolean => {
  const upper = line.toUpperCase();
  return words.some((word) => upper.includes(word.toUpperCase()));
};

const withoutSorry = (line: string): string => line.replace(/^\s*(?:sorry|error|fatal)\s*[:!]?\s*/i, '').trim();

/** Some programs tell what is wrong, list what they could do, and end with the same sentence as their error: the list belongs to it. */
const beginOf = (tail: readonly string[], at: number): number => {
  const sentence = withoutSorry(tail[at] ?? '');
  const from = Math.max(0, at - maxLines);
  const first = tail.slice(from, at).findIndex((line) => line.trim() === sentence);
  return first < 0 ? at : from + first;
};

/** From the line that states the error on; of a longer block its first line and its end, where a traceback names the error. */
const statedIn = (tail: readonly string[], words: readonly string[]): readonly string[] => {
  const at = tail.findLastIndex((line) => states(line, words));
  if (at < 0) return [];
  const begin = beginOf(tail, at);
  const block = tail.slice(begin);
  return block.length <= maxLines ? block : [tail[begin] ?? '', ...block.slice(1 - maxLines)];
};

/** A traceback is told by its last line, everything else by its first. */
const statement = (lines: readonly string[]): string | undefined => {
  const traceback = lines[0]?.toLowerCase().includes('traceback') === true;
  const line = traceback ? lines.findLast((text) => /^\w[\w.]*(?:Error|Exception|Sorry)\b/.test(text)) : lines[0];
  return withoutSorry(line ?? lines[0] ?? '').slice(0, 300) || undefined;
};

const exitText = (ending: AttemptEnding): string => `the program ended with exit code ${ending.exitCode ?? 'unknown'}`;

const describe = (
  lines: readonly string[],
  { program, tail }: FailureEvidence,
  errors: ErrorKnowledge,
  otherwise: string,
): Failure => {
  const known = knownErrorIn(lines.length > 0 ? lines : tail, program, errors);
  const shown = lines.length > 0 ? lines : tail.slice(-shownEnd);
  if (known !== undefined) return { cause: `${known.means} ${known.remedy}`, lines: shown, known: known.id };
  const stated = statement(lines);
  return { cause: stated === undefined ? otherwise : stated, lines: shown };
};

const missingText = ({ missingOutputs, tail }: FailureEvidence): string => {
  const printed = tail.length === 0 ? 'The program printed nothing' : 'The program ended without an error';
  return `${printed} and left no ${missingOutputs.join(' or ')}.`;
};

/** The last words of a run; where it has a result, without those that say that the result is a part of what was asked for. */
const lastLines = (
  { tail, measured, missingOutputs }: FailureEvidence,
  { partial_words }: ErrorKnowledge,
): readonly string[] => {
  const end = tail.slice(-lastWords);
  const hasResult = measured && missingOutputs.length === 0;
  return hasResult ? end.filter((line) => !states(line, partial_words)) : end;
};

/**
 * Whether a run failed and why, or undefined where it did its work. Asked in this order: how the program ended, its exit code, the
 * failure words (phenix-agent.md#failure-words) in its last lines, the outputs it had to leave. Where the exit code is not known, or 0 and nothing was
 * measured, a known error in its last lines is a failure too: some programs end so without any such word.
 */
export const failureOf = (evidence: FailureEvidence, errors: ErrorKnowledge): Failure | undefined => {
  const { program, ending, tail, missingOutputs, measured } = evidence;
  const words = errors.failure_words;
  if (ending.kind !== 'exited') return { cause: ending.message, lines: tail.slice(-shownEnd) };
  if (ending.exitCode !== undefined && ending.exitCode !== 0)
    return describe(statedIn(tail, words), evidence, errors, `${exitText(ending)}.`);
  const end = lastLines(evidence, errors);
  const lines = statedIn(end, words);
  if (lines.length > 0) return describe(lines, evidence, errors, exitText(ending));
  const isUnproven = ending.exitCode === undefined || !measured || missingOutputs.length > 0;
  if (isUnproven && knownErrorIn(end, program, errors) !== undefined)
    return describe([], { ...evidence, tail: end }, errors, exitText(ending));
  if (missingOutputs.length > 0) return { cause: missingText(evidence), lines: tail.slice(-shownEnd) };
  return undefined;
};
