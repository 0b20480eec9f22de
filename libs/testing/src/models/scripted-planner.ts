import type { Session } from '@fleet/contracts/sessions';
import type { Planner } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  unmeasured,
  type KeptReply,
  type ModelAnswer,
  type ModelBreaker,
  type ModelBudgets,
  type ModelLedger,
  type ModelReplies,
  type ModelTarget,
} from '@fleet/ports';
import { ManualClock } from '../manual-clock';

/** What a model says. */
export const modelSaying = (text: string): ModelAnswer => ({
  ok: true,
  reply: { text, thinking: '', finish: 'stop', usage: { inputTokens: 9, outputTokens: 3 }, latencyMs: 4 },
});

/** What a model says that chooses a program. */
export const modelChoosing = (program: string): ModelAnswer =>
  modelSaying(JSON.stringify({ program, reasons: 'The numbers say so.', strategy: [], confidence: 'medium' }));

class KeptInMemory implements ModelReplies {
  private readonly kept = new Map<string, KeptReply>();
  find({ id }: Session, work: string): Promise<KeptReply | undefined> {
    return Promise.resolve(this.kept.get(`${id} ${work}`));
  }
  keep({ id }: Session, work: string, reply: KeptReply): Promise<void> {
    this.kept.set(`${id} ${work}`, reply);
    return Promise.resolve();
  }
}

/** Where it writes down what it asks, and whom it leaves alone: the stores' own twins, which nothing here loads. */
interface PlannerStores {
  readonly ledger: ModelLedger;
  readonly breaker: ModelBreaker;
}

/** A planner without a network, whose one target `site` answers as it is told, with all that it was asked. */
export class ScriptedPlanner {
  readonly planner: Planner;
  readonly clock = new ManualClock();
  readonly breaker: ModelBreaker;
  readonly asked: string[] = [];
  /** Of each turn, whether others may take the work at once. */
  readonly closed: boolean[] = [];
  private readonly ending = new AbortController();

  constructor(
    ruleBook: RuleBook,
    public answer: () => ModelAnswer,
    stores: (clock: ManualClock) => PlannerStores,
    budgets: ModelBudgets = {},
  ) {
    const { clock, asked, closed, ending } = this;
    const { ledger, breaker } = stores(clock);
    this.breaker = breaker;
    const target: ModelTarget = {
      id: 'site',
      model: 'qwen3',
      local: true,
      maxOutputTokens: 1_000,
      ask: ({ messages }) => {
        asked.push(messages.map(({ text }) => text).join('\n'));
        return Promise.resolve(this.answer());
      },
    };
    this.planner = {
      ruleBook,
      targets: [target],
      replies: new KeptInMemory(),
      accounting: { breaker, ledger, budgets, clock, metrics: unmeasured },
      sleep: () => Promise.resolve(),
      onUnkept: () => undefined,
      watch: async (_session, work) => {
        await ledger.hold(work);
        const close = (isFree: boolean): Promise<void> => Promise.resolve(void closed.push(isFree));
        return { signal: ending.signal, isHandedBack: () => false, close };
      },
    };
  }

  /** Nobody waits for its answers any more. */
  end(): void {
    this.ending.abort();
  }
}
