import type { ModelFailureClass } from '@fleet/contracts/models';
import type { Session } from '@fleet/contracts/sessions';
import type { Planner } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  unmeasured,
  type StoredReply,
  type ModelAnswer,
  type ModelBreaker,
  type ModelBudgets,
  type ModelLedger,
  type ModelReplies,
  type ModelTarget,
} from '@fleet/ports';
import { MemoryModelBreaker } from '@fleet/redis';
import { ManualClock } from '../manual-clock';
import { useStores, type TestStore } from '../test-stores';
import type { WalkBench } from '../walk-bench';

/** A model's reply. */
export const modelSaying = (text: string): ModelAnswer => ({
  ok: true,
  reply: { text, thinking: '', finish: 'stop', usage: { inputTokens: 9, outputTokens: 3 }, latencyMs: 4 },
});

/** A model's reply that chooses a program. */
export const modelChoosing = (program: string): ModelAnswer =>
  modelSaying(JSON.stringify({ program, reasons: 'The numbers say so.', strategy: [], confidence: 'medium' }));

/** A call without a reply. */
export const modelFailing = (of: ModelFailureClass, why = 'it answered 401'): ModelAnswer => ({
  ok: false,
  failure: { class: of, why, usage: {}, latencyMs: 1 },
});

/** Replies by session and work. */
export class ScriptedReplies implements ModelReplies {
  readonly kept = new Map<string, StoredReply>();
  find({ id }: Session, work: string): Promise<StoredReply | undefined> {
    return Promise.resolve(this.kept.get(`${id} ${work}`));
  }
  keep({ id }: Session, work: string, reply: StoredReply): Promise<void> {
    this.kept.set(`${id} ${work}`, reply);
    return Promise.resolve();
  }
}

interface PlannerOptions {
  readonly budgets?: ModelBudgets;
  readonly replies?: ScriptedReplies;
}

/** A planner without a network, whose only target `site` replies as scripted, and its recorded requests. */
export class ScriptedPlanner {
  readonly planner: Planner;
  readonly clock = new ManualClock();
  readonly breaker: ModelBreaker;
  readonly ledger: ModelLedger;
  readonly asked: string[] = [];
  /** For each turn, whether others may take the work at once. */
  readonly closed: boolean[] = [];
  /** Errors of replies that could not be stored. */
  readonly unkept: unknown[] = [];
  private readonly ending = new AbortController();
  private isHandedBack = false;

  constructor(
    ruleBook: RuleBook,
    public answer: () => ModelAnswer,
    newStore: (clock: ManualClock) => TestStore,
    { budgets = {}, replies = new ScriptedReplies() }: PlannerOptions = {},
  ) {
    const { clock, asked, closed, unkept, ending } = this;
    const { ledger } = newStore(clock);
    const breaker = new MemoryModelBreaker(() => clock.now());
    [this.breaker, this.ledger] = [breaker, ledger];
    const target: ModelTarget = {
      id: 'site',
      model: 'qwen3',
      local: true,
      maxOutputTokens: 1_000,
      ask: ({ messages }, signal) => {
        asked.push(messages.map(({ text }) => text).join('\n'));
        return Promise.resolve(signal?.aborted === true ? modelFailing('aborted') : this.answer());
      },
    };
    this.planner = {
      ruleBook,
      targets: [target],
      replies,
      accounting: { breaker, ledger, budgets, clock, metrics: unmeasured },
      sleep: () => Promise.resolve(),
      onUnkept: (error) => void unkept.push(error),
      watch: async (_session, work) => {
        await ledger.hold(work);
        const close = (isFree: boolean): Promise<void> => Promise.resolve(void closed.push(isFree));
        return { signal: ending.signal, isHandedBack: () => this.isHandedBack, close };
      },
    };
  }

  /** Aborts its calls. @param handBack another worker takes the step */
  end(handBack = false): void {
    this.isHandedBack = handBack;
    this.ending.abort();
  }
}

/** Makes planners for the tests of a file, with the rules of its bench and a ledger and a breaker of their own. */
export const useScriptedPlanners = (
  bench: Pick<WalkBench, 'ruleBook'>,
): ((answer: ScriptedPlanner['answer'], options?: PlannerOptions) => ScriptedPlanner) => {
  const newStore = useStores();
  return (answer, options) => new ScriptedPlanner(bench.ruleBook, answer, newStore, options);
};
