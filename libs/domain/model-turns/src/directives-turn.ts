import { problemWithModelDirective, type ModelDirective } from '@fleet/advice';
import { closed, list, record, scalar, text } from '@fleet/contracts/schema';
import type { RuleBook } from '@fleet/knowledge-model';
import { directivesPrompt, type DirectivesContext } from './directives-prompt';
import { problem, readAnswer, type Read } from './read-answer';
import { runTurn, type Turn, type TurnOutcome } from './run-turn';

/** Maximum number of directives. */
const mostDirectives = 40;

/** The answer of a model. All members are required, as targets with schema enforcement need it. */
const directivesAnswerSchema = closed(
  record({
    wishes: list(
      record({
        field: text('a field of the list'),
        value: scalar(),
        words: text('copied from the advice, as few as say it', { minLength: 1, maxLength: 500 }),
      }),
      'what the advice asks for; empty where it asks for nothing of the list',
      { maxItems: mostDirectives },
    ),
  }),
);

/** Reads a model's answer to `directives`: directives that would be valid in structured form too, or its problem. Never throws. */
export const readDirectives = (
  answer: string,
  wasCut: boolean,
  ruleBook: Pick<RuleBook, 'programs'>,
): Read<readonly ModelDirective[]> => {
  const read = readAnswer(answer, wasCut, directivesAnswerSchema);
  if ('problem' in read) return read;
  const { wishes: directives } = read.value;
  const wrong = directives.map((one) => problemWithModelDirective(one, ruleBook)).find((why) => why !== undefined);
  return wrong === undefined ? { value: directives } : problem('value_not_allowed', wrong);
};

/** Asks for the requests in advice; see `runTurn`. */
export const directivesTurn = (
  context: DirectivesContext,
  how: Pick<Turn<readonly ModelDirective[]>, 'targets' | 'replies' | 'account' | 'sleep' | 'signal'>,
): Promise<TurnOutcome<readonly ModelDirective[]>> =>
  runTurn({
    ...how,
    prompt: directivesPrompt(context),
    answer: { name: 'directives', schema: directivesAnswerSchema as NonNullable<Turn<unknown>['answer']>['schema'] },
    read: (answer, wasCut) => readDirectives(answer, wasCut, context.ruleBook),
  });
