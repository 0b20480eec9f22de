import { assessmentParts, assessmentTitles, type AssessmentPart } from '@fleet/contracts/results';
import { closed, record, text } from '@fleet/contracts/schema';
import { assessPrompt, shorterAssessPrompts, type AssessContext } from './assess-prompt';
import { readAnswer, type Read } from './read-answer';
import { runTurn, type Turn, type TurnOutcome } from './run-turn';
import { writtenPart } from './written-part';

const part = (what: string) => text(what, { minLength: 1, maxLength: 3_000 });

/** The answer of a model. All members are required, as targets with schema enforcement need it. */
const assessAnswerSchema = closed(
  record({
    input_quality: part('how good the data are'),
    goal_and_strategy: part('what was asked for, and what was done'),
    strategy_assessment: part('whether that was appropriate, and the goal reached'),
    current_status: part('whether the model is ready for deposition'),
    next_steps: part('what to do next'),
  }),
);

/** Reads a model's answer to `assess`, or its problem; numbers that are not in the session's data are marked. Never throws. */
export const readAssessment = (
  answer: string,
  wasCut: boolean,
  { numbers, names }: Pick<AssessContext, 'numbers' | 'names'>,
): Read<readonly AssessmentPart[]> => {
  const read = readAnswer(answer, wasCut, assessAnswerSchema);
  if ('problem' in read) return read;
  const { value } = read;
  const known = Float64Array.from(numbers).sort();
  return {
    value: assessmentParts.map((name) =>
      writtenPart({ part: name, title: assessmentTitles[name], text: value[name] }, known, names),
    ),
  };
};

/** Asks for an assessment of a session; see `runTurn`. */
export const assessTurn = (
  context: AssessContext,
  how: Pick<Turn<readonly AssessmentPart[]>, 'targets' | 'replies' | 'account' | 'sleep' | 'signal'>,
): Promise<TurnOutcome<readonly AssessmentPart[]>> =>
  runTurn({
    ...how,
    prompt: assessPrompt(context),
    shorter: shorterAssessPrompts(context),
    answer: { name: 'assess', schema: assessAnswerSchema as NonNullable<Turn<unknown>['answer']>['schema'] },
    read: (answer, wasCut) => readAssessment(answer, wasCut, context),
  });
