import { Fault, type PlanningRecord, type Session } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import { planTurn, type Plan, type TurnOutcome } from '@fleet/model-turns';
import type { ModelReplies, ModelTarget } from '@fleet/ports';
import { chooseByRules, remainingPrograms } from './choose-by-rules';
import type { Choice, Chooser, ChoosingContext } from './decision-types';

/** Looks after a session while its models are asked, which may take minutes. */
export interface PlanningWatch {
  /** Ends the turn: somebody has moved or advised the session, it takes too long, or the process ends. */
  readonly signal: AbortSignal;
  /** Whether the process ends: then somebody else takes this step. */
  readonly isHandedBack: () => boolean;
  readonly close: () => void;
}

/** Whom the planning role asks, and how. */
export interface Planner {
  readonly ruleBook: RuleBook;
  /** In the order in which they are asked. */
  readonly targets: readonly ModelTarget[];
  readonly replies: ModelReplies;
  readonly watch: (session: Session) => Promise<PlanningWatch>;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Of which work a reply is: `c003-plan`. */
const workOf = ({ cycle }: Session): string => `c${String(cycle).padStart(3, '0')}-plan`;

const prompt = 'plan 1';

type Planned = Extract<TurnOutcome<Plan>, { readonly value: Plan }>;

const byModel = ({ value, target, model, hash, attempts }: Planned): Choice => {
  const planning: PlanningRecord = { prompt, requests: attempts.length, target, model, hash };
  const { program, strategy, confidence, reasons } = value;
  return { program, strategy, confidence, planning, reasoning: `${model} chose it: "${reasons}"` };
};

const turnOf = async (planner: Planner, context: ChoosingContext): Promise<TurnOutcome<Plan>> => {
  const { session } = context;
  const { ruleBook, targets, replies, sleep } = planner;
  const watch = await planner.watch(session);
  const named = (hash: string): string => `${workOf(session)}-${hash.slice(0, 16)}`;
  try {
    const outcome = await planTurn(
      { ...context, offered: remainingPrograms(context), ruleBook },
      {
        targets,
        sleep,
        signal: watch.signal,
        replies: {
          find: (hash) => replies.find(session, named(hash)),
          keep: (hash, reply) => replies.keep(session, named(hash), reply),
        },
      },
    );
    if ('code' in outcome && watch.isHandedBack())
      throw new Fault(
        'decision.handed_back',
        'transient',
        'The worker ends while a model is asked; the step is taken again',
      );
    return outcome;
  } finally {
    watch.close();
  }
};

/**
 * Asks the models of the planning role where the menu has a choice; the rules choose where it has none, and where no model gives an
 * answer that can be used. A model is held to the menu and to the values that the rules accept.
 * @throws Fault (transient) `decision.handed_back`, or where replies cannot be kept
 */
export const chooseByModels =
  (planner: Planner): Chooser =>
  async (context) => {
    const choice = chooseByRules(context);
    if (choice === undefined || remainingPrograms(context).length < 2) return choice;
    const outcome = await turnOf(planner, context);
    if ('value' in outcome) return byModel(outcome);
    const { code, why, attempts } = outcome;
    const planning: PlanningRecord = { prompt, requests: attempts.length, failed: code, why: why.slice(0, 1_000) };
    return { ...choice, planning };
  };
