import { Fault, planWorkOf, replyNameOf, unaskedClasses, type PlanningRecord, type Session } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import { planTurn, type Plan, type TurnOutcome } from '@fleet/model-turns';
import type { ModelReplies, ModelTarget, ModelWork } from '@fleet/ports';
import { endsAtOnce, mayStop, STOP } from '@fleet/workflow';
import { chooseByRules, remainingPrograms } from './choose-by-rules';
import type { Choice, Chooser, ChoosingContext } from './decision-types';
import { waitsForModel } from './model-outage';
import { accountOf, type Accounting } from './turn-account';

/** Looks after a session while its models are asked, which may take minutes. */
export interface PlanningWatch {
  /** Ends the turn: somebody has moved or advised the session, it takes too long, or the process ends. */
  readonly signal: AbortSignal;
  /** Whether somebody else takes this step: the process ends, or another worker has taken the work from it. */
  readonly isHandedBack: () => boolean;
  /** @param isFree whether others may take the work at once: they find a reply, or nothing was decided */
  readonly close: (isFree: boolean) => Promise<void>;
}

/** Whom the planning role asks, and how. */
export interface Planner {
  readonly ruleBook: RuleBook;
  /** In the order in which they are asked. */
  readonly targets: readonly ModelTarget[];
  readonly replies: ModelReplies;
  readonly accounting: Accounting;
  /** Waits for the work, which one worker does at a time. */
  readonly watch: (session: Session, work: ModelWork) => Promise<PlanningWatch>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Hears of a reply that cannot be kept: it is used all the same, for the next try would pay for it again. */
  readonly onUnkept: (error: unknown) => void;
}

/** Of which work replies and requests are. */
const workOf = ({ id, request, cycle }: Session): ModelWork => ({
  session: id,
  proposal: request.proposal,
  name: planWorkOf(cycle),
});

const prompt = 'plan 1';
/** Characters of a reason why no model chose. */
const mostWhy = 1_000;

type Planned = Extract<TurnOutcome<Plan>, { readonly value: Plan }>;

const requestsOf = ({ attempts }: TurnOutcome<Plan>): number =>
  attempts.filter(({ came }) => !unaskedClasses.some((one) => one === came)).length;

const byModel = (planned: Planned): Choice => {
  const { value, target, model, hash } = planned;
  const planning: PlanningRecord = { prompt, requests: requestsOf(planned), target, model, hash };
  const { program, strategy, confidence, reasons } = value;
  const what = program === STOP ? 'to stop' : 'it';
  return { program, strategy, confidence, planning, reasoning: `${model} chose ${what}: "${reasons}"` };
};

const turnOf = async (planner: Planner, context: ChoosingContext): Promise<TurnOutcome<Plan>> => {
  const { session } = context;
  const { ruleBook, targets, replies, sleep, onUnkept } = planner;
  const work = workOf(session);
  const watch = await planner.watch(session, work);
  const named = (hash: string): string => replyNameOf(work.name, hash);
  let [isFree, isKept] = [false, true];
  try {
    const outcome = await planTurn(
      { ...context, offered: remainingPrograms(context), ruleBook },
      {
        targets,
        sleep,
        signal: watch.signal,
        account: accountOf(planner.accounting, work),
        replies: {
          find: (hash) => replies.find(session, named(hash)),
          keep: (hash, reply) =>
            replies.keep(session, named(hash), reply).catch((error: unknown) => {
              isKept = false;
              onUnkept(error);
            }),
        },
      },
    );
    if ('value' in outcome) {
      isFree = isKept;
      return outcome;
    }
    if (watch.isHandedBack())
      throw new Fault(
        'decision.handed_back',
        'transient',
        'The worker ends while a model is asked, or another one asks it; the step is taken again',
      );
    if (waitsForModel(session, outcome)) {
      isFree = true;
      throw new Fault('decision.waits_for_model', 'transient', outcome.why.slice(0, mostWhy));
    }
    return outcome;
  } finally {
    await watch.close(isFree);
  }
};

/** Whether there is something to choose that the submitter lets a model see. */
const isForModels = (context: ChoosingContext): boolean => {
  const { session, menu, described } = context;
  const ends = mayStop(menu) && endsAtOnce(described) ? 1 : 0;
  return !session.request.settings.use_rules_only && remainingPrograms(context).length + ends > 1;
};

/**
 * Asks the models of the planning role where the menu has a choice; the rules choose where it has none, where the submitter wants no model
 * asked, and where no model gives an answer that can be used. A model is held to the menu and to the values that the rules accept.
 * @throws Fault (transient) `decision.handed_back`, `decision.waits_for_model` where none can be reached and the submitter waits, or where replies cannot be read or the ledger cannot be kept
 */
export const chooseByModels =
  (planner: Planner): Chooser =>
  async (context) => {
    const choice = chooseByRules(context);
    if (choice === undefined || !isForModels(context)) return choice;
    const outcome = await turnOf(planner, context);
    if ('value' in outcome) return byModel(outcome);
    const { code, why } = outcome;
    const planning: PlanningRecord = {
      prompt,
      requests: requestsOf(outcome),
      failed: code,
      why: why.slice(0, mostWhy),
    };
    return { ...choice, planning };
  };
