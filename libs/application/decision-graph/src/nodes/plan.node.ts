import {
  advised,
  endsAtOnce,
  mayStop,
  STOP,
  stopOfEmptyMenu,
  stopOnMenu,
  validForModels,
  type Menu,
  type OfferedProgram,
} from '@fleet/workflow';
import type { SessionEvent, SessionStop } from '@fleet/contracts/sessions';
import { chooseByRules } from '../choose-by-rules';
import type { Choice, ChoosingContext, DecisionInput, GraphDeps, Rejection } from '../decision-types';
import { eventOf } from '../event-of';
import type { DecisionNode, DecisionUpdate } from '../state';

interface CorrectedChoice {
  readonly choice: Choice;
  readonly refused: readonly Rejection[];
  readonly messages: readonly string[];
}

/** Adds the failed choices of this decision to the stop, unless it already contains them. */
const withTried = (stop: SessionStop, rejections: readonly Rejection[]): SessionStop => {
  const tried = rejections.filter(({ why }) => stop.reason === 'no_program' && !stop.detail.includes(why));
  const refusals = tried.map(({ program, why }) => (why.startsWith(program) ? `${why}.` : `${program}: ${why}.`));
  return { ...stop, detail: [stop.detail, ...refusals].join(' ') };
};

/** An unoffered choice is replaced with the first offered program (phenix-agent.md#choosing-a-program), and counts as a refusal. */
const corrected = (choice: Choice, instead: Choice): CorrectedChoice => {
  const why = `${choice.program} was chosen but is not offered now`;
  return {
    choice: { ...instead, reasoning: `${why}. ${instead.reasoning}` },
    refused: [{ program: choice.program, why: 'it was chosen but is not offered now' }],
    messages: [`${why}; ${instead.program} is used instead.`],
  };
};

/** The model that chose; empty if the rules did. */
const chosenBy = ({ planning }: Choice): Readonly<Record<string, string>> => {
  const { target, model } = planning ?? {};
  return target === undefined || model === undefined ? {} : { target, model };
};

const deciderOf = ({ planning }: Choice): 'rules' | 'model' => (planning?.target === undefined ? 'rules' : 'model');

/** Programs that are offered only to models may be chosen only by a model. */
const mayChoose = ({ offered, forModels }: Menu, choice: Choice | undefined): readonly OfferedProgram[] =>
  choice !== undefined && deciderOf(choice) === 'model' ? [...offered, ...forModels] : offered;

/** Reports an unsuccessful query of models. */
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

const selectedEvent = (input: DecisionInput, choice: Choice, { menu, rejections }: ChoosingContext): SessionEvent =>
  eventOf(input, 'program_selected', `${choice.program}: ${choice.reasoning}`, {
    program: choice.program,
    attempt: rejections.length + 1,
    valid_programs: deciderOf(choice) === 'model' ? validForModels(menu) : menu.validPrograms,
    ...chosenBy(choice),
  });

/** STOP was chosen: the end of the finished workflow, or the validation that is required before it (phenix-agent.md#stop-conditions). */
const ending = (input: DecisionInput, choice: Choice, context: ChoosingContext, deps: GraphDeps): DecisionUpdate => {
  const { described, menu, session } = context;
  const events = [selectedEvent(input, choice, context)];
  const stop = endsAtOnce(described) ? stopOnMenu(described, menu, session) : undefined;
  if (stop !== undefined) {
    const detail = `${stop.detail} ${choice.reasoning}.`;
    return { draft: { stop: advised({ ...stop, detail }, described.facts, deps.ruleBook) }, events };
  }
  const first = chooseByRules(context);
  if (first === undefined) return { draft: { choice: undefined, command: undefined }, events };
  const { program } = first;
  const reasoning = `${choice.reasoning}. No session ends before its model is validated. ${first.reasoning}`;
  return {
    draft: {
      choice: { ...choice, program, reasoning },
      command: undefined,
      problem: undefined,
      decidedBy: deciderOf(choice),
    },
    events: [...events, eventOf(input, 'program_modified', `${program} runs first: ${first.reasoning}`, { program })],
  };
};

/** The choice, or the rules' replacement if it is not offered; undefined if neither is left: the fallback decides. */
const planned = (input: DecisionInput, chosen: Choice | undefined, context: ChoosingContext): DecisionUpdate => {
  const isOffered = mayChoose(context.menu, chosen).some(({ program }) => program === chosen?.program);
  const first = chosen === undefined || isOffered ? undefined : chooseByRules(context);
  if (chosen === undefined || (!isOffered && first === undefined))
    return { draft: { choice: undefined, command: undefined } };
  const { choice, refused, messages } =
    first === undefined ? { choice: chosen, refused: [], messages: [] } : corrected(chosen, first);
  return {
    draft: {
      choice,
      command: undefined,
      problem: undefined,
      decidedBy: deciderOf(choice),
      rejections: [...context.rejections, ...refused],
    },
    events: [
      ...messages.map((message) => eventOf(input, 'program_modified', message, { program: choice.program })),
      ...planningEvents(input, choice),
      selectedEvent(input, choice, context),
    ],
  };
};

/**
 * Chooses from the menu. It does not evaluate stop conditions (that is done after execution), except that an empty menu leaves no choice, and
 * STOP may be a choice.
 */
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
    return chosen?.program === STOP && mayStop(menu)
      ? ending(input, chosen, context, deps)
      : planned(input, chosen, context);
  };
