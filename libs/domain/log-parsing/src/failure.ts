import type { AttemptEnding } from '@fleet/contracts/sessions';
import { knownErrorIn, type ErrorKnowledge, type KnownError } from '@fleet/knowledge-model';
import type { LogReading } from './log-reader';

/** Why a run counts as failed. */
export interface Failure {
  /** One sentence for the user. */
  readonly cause: string;
  /** Lines of the log that state it, at most 20. */
  readonly lines: readonly string[];
  /** Id of the known error, if the text was recognised. */
  readonly known?: string;
}

export interface FailureEvidence {
  /** Exact name: other programs may use the same words with another meaning. */
  readonly program: string;
  /** Without an exit code (a log alone) the last lines of the log decide. */
  readonly ending: AttemptEnding;
  /** If the log contains a metric, the program recovered from the complaints in it. */
  readonly log: Pick<LogReading, 'metrics' | 'tail' | 'signs'>;
  /** Expected outputs that are missing; empty if any output exists or none is expected. */
  readonly missingOutputs: readonly string[];
}

const maxLines = 20;
/** A run with exit code 0 is judged only by its last lines; it recovered from earlier complaints. */
const lastWords = 50;
/** Without a line that states the error, the end of the log is shown. */
const shownEnd = 5;

const states = (line: string, words: readonly string[]): boolean => {
  const upper = line.toUpperCase();
  return words.some((word) => upper.includes(word.toUpperCase()));
};

const withoutSorry = (line: string): string => line.replace(/^\s*(?:sorry|error|fatal)\s*[:!]?\s*/i, '').trim();

/** Some programs state the error, list the choices, and repeat the error as the last line: the list belongs to it. */
const beginOf = (tail: readonly string[], at: number): number => {
  const sentence = withoutSorry(tail[at] ?? '');
  const from = Math.max(0, at - maxLines);
  const first = tail.slice(from, at).findIndex((line) => line.trim() === sentence);
  return first < 0 ? at : from + first;
};

/** The lines from the stated error on; of a longer block its first line and its end, where a traceback names the error. */
const statedIn = (tail: readonly string[], words: readonly string[]): readonly string[] => {
  const at = tail.findLastIndex((line) => states(line, words));
  if (at < 0) return [];
  const begin = beginOf(tail, at);
  const block = tail.slice(begin);
  return block.length <= maxLines ? block : [tail[begin] ?? '', ...block.slice(1 - maxLines)];
};

/** A traceback is recognised by its last line, everything else by its first. */
const statement = (lines: readonly string[]): string | undefined => {
  const traceback = lines[0]?.toLowerCase().includes('traceback') === true;
  const line = traceback ? lines.findLast((text) => /^\w[\w.]*(?:Error|Exception|Sorry)\b/.test(text)) : lines[0];
  return withoutSorry(line ?? lines[0] ?? '').slice(0, 300) || undefined;
};

const exitText = (ending: AttemptEnding): string => `the program ended with exit code ${ending.exitCode ?? 'unknown'}`;

interface Stated {
  readonly known?: KnownError;
  readonly lines: readonly string[];
}

/**
 * A known error in the lines that state the failure, or in the last lines, or, if it has a recovery, anywhere in the log. What the error is
 * about may stand above its last words: PHENIX lists unknown parameters before it says "Sorry".
 */
const statedError = (stated: readonly string[], { program, log }: FailureEvidence, errors: ErrorKnowledge): Stated => {
  const atEnd = knownErrorIn(stated.length > 0 ? stated : log.tail, program, errors);
  const statement = log.signs.statements.at(-1) ?? [];
  const found = knownErrorIn(statement, program, errors);
  const isAbove = atEnd === undefined || (found === atEnd && !stated.includes(statement[0] ?? ''));
  if (found === undefined || !isAbove) return { ...(atEnd !== undefined && { known: atEnd }), lines: stated };
  const room = Math.max(1, maxLines - stated.length);
  return {
    known: found,
    lines: [...statement.slice(0, room), ...stated.filter((line) => !statement.includes(line))].slice(0, maxLines),
  };
};

const describe = (
  stated: readonly string[],
  evidence: FailureEvidence,
  errors: ErrorKnowledge,
  otherwise: string,
): Failure => {
  const { known, lines } = statedError(stated, evidence, errors);
  const shown = lines.length > 0 ? lines : evidence.log.tail.slice(-shownEnd);
  if (known !== undefined) return { cause: `${known.means} ${known.remedy}`, lines: shown, known: known.id };
  return { cause: statement(lines) ?? otherwise, lines: shown };
};

const missingText = ({ missingOutputs, log }: FailureEvidence): string => {
  const printed = log.tail.length === 0 ? 'The program printed nothing' : 'The program ended without an error';
  return `${printed} and left no ${missingOutputs.join(' or ')}.`;
};

const hasResult = ({ log, missingOutputs }: FailureEvidence): boolean =>
  log.metrics.length > 0 && missingOutputs.length === 0;

/** Removes lines about a partial result if the run has a result. */
const complaints = (
  lines: readonly string[],
  resulted: boolean,
  { partial_words }: ErrorKnowledge,
): readonly string[] => (resulted ? lines.filter((line) => !states(line, partial_words)) : lines);

const failureWords = ({ failure_words, terminal_words }: ErrorKnowledge): readonly string[] => [
  ...failure_words,
  ...terminal_words,
];

const endsRun = ({ known }: ErrorKnowledge): Pick<ErrorKnowledge, 'known'> => ({
  known: known.filter(({ ends_run }) => ends_run === true),
});

/**
 * Whether a text about a run, such as the result that a client states, is a failure.
 * @param resulted whether the run wrote or measured something
 */
export const statesFailure = (text: string, program: string, resulted: boolean, errors: ErrorKnowledge): boolean => {
  const lines = complaints(text.split('\n'), resulted, errors);
  const words = failureWords(errors);
  return lines.some((line) => states(line, words)) || knownErrorIn(lines, program, endsRun(errors)) !== undefined;
};

/** The log contains the beginning of the program, but not its expected end; undefined if that is unknown. */
const brokenOff = ({ log: { tail, signs } }: FailureEvidence): Failure | undefined => {
  if (signs.awaited === undefined || tail.slice(-lastWords).some((line) => states(line, signs.awaited ?? [])))
    return undefined;
  const words = signs.awaited.map((text) => `"${text}"`).join(' or ');
  return {
    cause: `The log breaks off: ${words}, which the program ends with, is not in its last lines.`,
    lines: tail.slice(-shownEnd),
  };
};

/** A known error in the last lines of a run without a failure word. */
const unannounced = (end: readonly string[], evidence: FailureEvidence, errors: ErrorKnowledge): boolean => {
  const isUnproven = evidence.ending.exitCode === undefined || !hasResult(evidence);
  return knownErrorIn(end, evidence.program, isUnproven ? errors : endsRun(errors)) !== undefined;
};

/**
 * Whether a run failed and why, or undefined if it succeeded. Checks in this order: how the program ended, its exit code, the failure words
 * (phenix-agent.md#failure-words) and crash texts in its last lines, known errors there, the expected end of its log, its expected outputs. A
 * known error without a failure word counts if nothing shows that the run recovered, and always if the program has ended with it
 * (errors.yaml, `ends_run`).
 */
export const failureOf = (evidence: FailureEvidence, errors: ErrorKnowledge): Failure | undefined => {
  const { ending, log, missingOutputs } = evidence;
  const words = failureWords(errors);
  if (ending.kind !== 'exited') return { cause: ending.message, lines: log.tail.slice(-shownEnd) };
  if (ending.exitCode !== undefined && ending.exitCode !== 0)
    return describe(statedIn(log.tail, words), evidence, errors, `${exitText(ending)}.`);
  const end = complaints(log.tail.slice(-lastWords), hasResult(evidence), errors);
  const lines = statedIn(end, words);
  if (lines.length > 0) return describe(lines, evidence, errors, exitText(ending));
  if (unannounced(end, evidence, errors))
    return describe([], { ...evidence, log: { ...log, tail: end } }, errors, exitText(ending));
  const broken = ending.exitCode === undefined ? brokenOff(evidence) : undefined;
  if (broken !== undefined) return broken;
  return missingOutputs.length > 0 ? { cause: missingText(evidence), lines: log.tail.slice(-shownEnd) } : undefined;
};
