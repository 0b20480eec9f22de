import { modelRoles } from '@fleet/contracts/models';
import { choice, integer, isDescribed, list, record, text } from '@fleet/contracts/schema';
import type { StrategyKey } from '@fleet/knowledge-model';
import { mayStop, STOP } from '@fleet/workflow';
import { planContextOf, settableKeys, type PlanSources } from './plan-context';
import { planPrompt, shorterPlanPrompts } from './plan-prompt';
import type { Prompt } from './prompt';

/** A program that may be chosen, or STOP, with the keys that may be set for it. */
export interface ChoosableProgram {
  readonly program: string;
  readonly keys: readonly StrategyKey[];
}

/** The question for the next program, and the valid answers: plain data, so that another process can ask it. */
export interface PlanQuestion {
  /** The whole question first, then the shorter forms, the longest first. */
  readonly forms: readonly [Prompt, ...Prompt[]];
  readonly choices: readonly ChoosableProgram[];
}

type ChoiceSources = Pick<PlanSources, 'offered'> & {
  readonly menu: Pick<PlanSources['menu'], 'offered' | 'validPrograms' | 'applied'>;
  readonly described: Pick<PlanSources['described'], 'facts'>;
  readonly ruleBook: PlanSources['ruleBook'];
};

/** The current choices, and the keys that may be set for them. */
export const planChoicesOf = ({ offered, menu, described, ruleBook }: ChoiceSources): readonly ChoosableProgram[] => [
  ...offered.map(({ program }) => {
    const knowledge = ruleBook.programs[program];
    return { program, keys: knowledge === undefined ? [] : settableKeys(knowledge, described) };
  }),
  ...(mayStop(menu) ? [{ program: STOP, keys: [] }] : []),
];

/** Converts a session to a question. The same session gives the same question, byte for byte. */
export const planQuestionOf = (sources: PlanSources): PlanQuestion => {
  const context = planContextOf(sources);
  return { forms: [planPrompt(context), ...shorterPlanPrompts(context)], choices: planChoicesOf(sources) };
};

const promptSchema = record({
  id: text('of the prompt', { maxLength: 50 }),
  version: integer('of its wording', { minimum: 1 }),
  messages: list(record({ role: choice(modelRoles), text: text() }), 'what is asked', { minItems: 1, maxItems: 20 }),
});
const questionSchema = record({
  forms: list(promptSchema, 'the whole first', { minItems: 1, maxItems: 10 }),
  choices: list(
    record({ program: text(), keys: list(record({ key: text(), type: text() }), 'as the knowledge has them') }),
    'what may be chosen',
    { minItems: 1 },
  ),
});

/** A question from another process; undefined for an invalid one. */
export const readPlanQuestion = (document: unknown): PlanQuestion | undefined =>
  isDescribed(questionSchema, document) ? (document as unknown as PlanQuestion) : undefined;
