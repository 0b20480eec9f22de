import type { AnswerProblem } from '@fleet/contracts/models';
import { mistakesIn, type Schema } from '@fleet/contracts/schema';
import { objectIn } from './object-in-text';

/** A problem of an answer, with a hint for the model. */
export interface Problem {
  readonly code: AnswerProblem;
  readonly why: string;
}

export type Read<T> = { readonly value: T } | { readonly problem: Problem };

export const problem = (code: AnswerProblem, why: string): { readonly problem: Problem } => ({
  problem: { code, why },
});

/** The object in a model's text, if it matches the schema. Never throws. */
export const readAnswer = <T>(text: string, wasCut: boolean, schema: Schema<T>): Read<T> => {
  const found = objectIn(text);
  if (found === undefined) {
    return wasCut
      ? problem('truncated', 'the answer was cut off before the JSON object ended; write less')
      : problem('not_json', 'the answer is not one JSON object');
  }
  const [mistake] = mistakesIn(schema, found, { at: 'answer', most: 1 });
  return mistake === undefined
    ? { value: found as T }
    : problem('schema_failed', `${mistake.field} ${mistake.reason}; allowed: ${mistake.allowed}`.slice(0, 300));
};
