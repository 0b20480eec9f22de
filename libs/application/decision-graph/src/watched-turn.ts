import { Fault } from '@fleet/contracts/faults';
import { replyNameOf, unaskedClasses } from '@fleet/contracts/models';
import type { Session } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import type { Turn, TurnOutcome } from '@fleet/model-turns';
import type { ModelReplies, ModelTarget, ModelWork } from '@fleet/ports';
import { waitsForModel } from './model-outage';
import { accountOf, type Accounting } from './turn-account';

/** Monitors a session while its models are asked, which may take minutes. */
export interface PlanningWatch {
  /** Aborts the turn: a user or worker has moved or advised the session, it takes too long, or the process ends. */
  readonly signal: AbortSignal;
  /** Whether another worker takes this step: the process ends, or another worker has taken the work. */
  readonly isHandedBack: () => boolean;
  /** @param isFree whether others may take the work at once: they find a reply, or nothing was decided */
  readonly close: (isFree: boolean) => Promise<void>;
}

/** The targets of a role, and how to call them. */
export interface Planner {
  readonly ruleBook: RuleBook;
  /** In the order in which they are tried. */
  readonly targets: readonly ModelTarget[];
  readonly replies: ModelReplies;
  readonly accounting: Accounting;
  /** Waits for the work, which one worker does at a time. */
  readonly watch: (session: Session, work: ModelWork) => Promise<PlanningWatch>;
  readonly sleep: Turn<unknown>['sleep'];
  /** False: never waits for an answer, even if the session does for decisions. */
  readonly mayWait?: false;
  /** Called for a reply that cannot be stored: it is used anyway, because a retry would pay again. */
  readonly onUnkept: (error: unknown) => void;
}

/** The targets of a turn, independent of the caller. */
export type Answerer = Pick<Planner, 'targets' | 'sleep' | 'accounting' | 'onUnkept'>;

/** How a turn calls, stores and pays. */
export type TurnWays<T> = Pick<Turn<T>, 'targets' | 'replies' | 'account' | 'sleep' | 'signal'>;

/** Maximum length of the reason without an answer. */
export const mostWhy = 1_000;

/** Number of requests that were made. */
export const requestsOf = ({ attempts }: Pick<TurnOutcome<unknown>, 'attempts'>): number =>
  attempts.filter(({ result }) => !unaskedClasses.some((one) => one === result)).length;

/** Where a work is stored, paid and monitored. */
interface HeldWork {
  readonly work: ModelWork;
  readonly watch: PlanningWatch;
  readonly replies: Turn<unknown>['replies'];
}

/**
 * One question, asked by one worker at a time and paid once: a stored reply is reused.
 * @throws Fault (transient) `decision.handed_back`, the Fault of `unanswered`, or if replies or the ledger are unavailable
 */
export const heldTurn = async <T>(
  { targets, sleep, accounting, onUnkept }: Answerer,
  { work, watch, replies }: HeldWork,
  ask: (ways: TurnWays<T>) => Promise<TurnOutcome<T>>,
  unanswered: (outcome: Extract<TurnOutcome<T>, { readonly code: string }>) => void = () => undefined,
): Promise<TurnOutcome<T>> => {
  let [isFree, isKept] = [false, true];
  try {
    const outcome = await ask({
      targets,
      sleep,
      signal: watch.signal,
      account: accountOf(accounting, work),
      replies: {
        find: (hash) => replies.find(hash),
        keep: (hash, reply) =>
          replies.keep(hash, reply).catch((error: unknown) => {
            isKept = false;
            onUnkept(error);
          }),
      },
    });
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
    try {
      unanswered(outcome);
    } catch (error) {
      isFree = true;
      throw error;
    }
    return outcome;
  } finally {
    await watch.close(isFree);
  }
};

/**
 * One question of one session, with its replies in the session's folder.
 * @param name of the work: `c003-plan`
 * @throws Fault (transient) `decision.handed_back`, `decision.waits_for_model` if the session waits for one, or if replies or the ledger are
 * unavailable
 */
export const watchedTurn = async <T>(
  planner: Planner,
  session: Session,
  name: string,
  ask: (ways: TurnWays<T>) => Promise<TurnOutcome<T>>,
): Promise<TurnOutcome<T>> => {
  const { replies, mayWait } = planner;
  const work: ModelWork = { session: session.id, proposal: session.request.proposal, name };
  const watch = await planner.watch(session, work);
  const named = (hash: string): string => replyNameOf(name, hash);
  const held: HeldWork = {
    work,
    watch,
    replies: {
      find: (hash) => replies.find(session, named(hash)),
      keep: (hash, reply) => replies.keep(session, named(hash), reply),
    },
  };
  return heldTurn(planner, held, ask, (outcome) => {
    if (mayWait !== false && waitsForModel(session, outcome))
      throw new Fault('decision.waits_for_model', 'transient', outcome.why.slice(0, mostWhy));
  });
};
