import { advised, stopOfEmptyMenu } from '@fleet/workflow';
import type { SessionEvent, SessionStop } from '@fleet/contracts';
import { chooseByRules } from '../choose-by-rules';
import type { Choice, DecisionInput, GraphDeps, Rejection } from '../decision-types';
import { eventOf } from '../event-of';
import type { DecisionNode } from '../state';

interface Corrected {
  readonly choice: Choice;
  readonly refused: readonly Rejection[];
  readonly told: readonly string[];
}

/** Of a session that cannot go on: what this decision has tried in vain, as far as the stop does not tell it. */
const withTried = (stop: SessionStop, rejections: readonly Rejection[]): SessionStop => {
  const tried = rejections.filter(({ why }) => stop.reason === 'no_program' && !stop.detail.includes(why));
  const told = tried.map(({ program, why }) => (why.startsWith(program) ? `${why}.` : `${program}: ${why}.`));
  return { ...stop, detail: [stop.detail, ...told].join(' ') };
};

/** Somebody chose what is not offered: the first program that is takes its place (phenix-agent.md#choosing-a-program), and it counts as a refusal. */
const corrected = (choice: Choice, instead: Choice): Corrected => {
  const why = `${choice.program} was chosen but is not offered now`;
  return {
    choice: { ...instead, reasoning: `${why}. ${instead.reasoning}` },
    refused: [{ program: choice.program, why: 'it was chosen but is not offered now' }],
    told: [`${why}; ${instead.program} is used instead.`],
  };
};

/** Which model chose; nothing where the rules did. */
const chosenBy = ({ planning }: Choice): Readonly<Record<string, string>> => {
  const { target, model } = planning ?? {};
  return target === undefined || model === undefined ? {} : { target, model };
};

const deciderOf = ({ planning }: Choice): 'rules' | 'model' => (planning?.target === undefined ? 'rules' : 'model');

/** Told where models were asked in vain. */
const planningEvents = (input: DecisionInput, { planning }: Choice): readonly SessionEvent[] =>
  planning?.failed === undefined
    ? []
    : [
        eventOf(
          input,
          'warning',
          `The rules chose, for no model gave an answer that can be used: ${planning.why ?? ''}`,
          {
            code: planning.failed,
            requests: planning.requests,
          },
        ),
      ];

/** Chooses from the menu; never judges whether to stop (that is done after execution), except that an empty menu leaves no choice. */
export const makePlan =
  (deps: GraphDeps): DecisionNode =>
  async ({ input, draft: { assessment, rejections } }) => {
    if (assessment === undefined) return {};
    const { described, menu } = assessment;
    if (menu.offered.length === 0) {
      const stop = withTried(stopOfEmptyMenu(described, menu, input.session), rejections);
      return { draft: { stop: advised(stop, described.facts, deps.ruleBook) } };
    }
    const context = { session: input.session, described, menu, rejections };
    const chosen = await deps.choose(context);
    const isOffered = menu.offered.some(({ program }) => program === chosen?.program);
    const first = chosen === undefined || isOffered ? undefined : chooseByRules(context);
    if (chosen === undefined || (!isOffered && first === undefined))
      return { draft: { choice: undefined, command: undefined } };
    const { choice, refused, told } =
      first === undefined ? { choice: chosen, refused: [], told: [] } : corrected(chosen, first);
    return {
      draft: {
        choice,
        command: undefined,
        problem: undefined,
        decidedBy: deciderOf(choice),
        rejections: [...rejections, ...refused],
      },
      events: [
        ...told.map((message) => eventOf(input, 'program_modified', message, { program: choice.program })),
        ...planningEvents(input, choice),
        eventOf(input, 'program_selected', `${choice.program}: ${choice.reasoning}`, {
          program: choice.program,
          attempt: rejections.length + 1,
          valid_programs: menu.validPrograms,
          ...chosenBy(choice),
        }),
      ],
    };
  };
