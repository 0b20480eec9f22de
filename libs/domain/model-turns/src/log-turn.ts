import { logSummaryParts, logSummaryTitles, type LogSummaryPart } from '@fleet/contracts/results';
import { closed, record, text } from '@fleet/contracts/schema';
import { logPrompt, shorterLogPrompts, wholeLog, type LogContext } from './log-prompt';
import { readAnswer, type Read } from './read-answer';
import { runTurn, type Turn, type TurnOutcome } from './run-turn';
import { writtenPart } from './written-part';

const part = (what: string) => text(what, { minLength: 1, maxLength: 2_000 });

/** The answer of a model. All members are required, as targets with schema enforcement need it. */
const logAnswerSchema = closed(
  record({
    outcome: part('what the program did, and its outcome'),
    numbers: part('what its numbers say'),
    findings: part('errors, warnings and oddities, and what they mean'),
  }),
);

const number = /\d[\d.,]*/g;

/** Numbers in the shown lines, as written. */
const shownNumbers = ({ head, tail, errors }: LogContext): readonly string[] => [
  ...new Set(
    [...head.slice(0, wholeLog.head), ...tail.slice(-wholeLog.tail), ...errors].flatMap(
      (line) => line.match(number) ?? [],
    ),
  ),
];

/**
 * Reads a model's answer to `log`, or its problem. Numbers that the service has not read are marked; except in the part `numbers`, a number
 * that is in the log exactly as written is not marked. Never throws.
 */
export const readLogSummary = (
  answer: string,
  wasCut: boolean,
  context: LogContext,
): Read<readonly LogSummaryPart[]> => {
  const read = readAnswer(answer, wasCut, logAnswerSchema);
  if ('problem' in read) return read;
  const known = Float64Array.from(context.numbers).sort();
  const shown = new Set(shownNumbers(context).map((one) => one.replace(/[.,]+$/, '')));
  return {
    value: logSummaryParts.map((name) => {
      const section = { part: name, title: logSummaryTitles[name], text: read.value[name] };
      return writtenPart(section, known, context.names, name === 'numbers' ? new Set() : shown);
    }),
  };
};

/** Asks for a summary of a run's log; see `runTurn`. */
export const logTurn = (
  context: LogContext,
  how: Pick<Turn<readonly LogSummaryPart[]>, 'targets' | 'replies' | 'account' | 'sleep' | 'signal'>,
): Promise<TurnOutcome<readonly LogSummaryPart[]>> =>
  runTurn({
    ...how,
    prompt: logPrompt(context),
    shorter: shorterLogPrompts(context),
    answer: { name: 'log', schema: logAnswerSchema as NonNullable<Turn<unknown>['answer']>['schema'] },
    read: (answer, wasCut) => readLogSummary(answer, wasCut, context),
  });
