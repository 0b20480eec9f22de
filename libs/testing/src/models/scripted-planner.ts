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

/** A model's reply. */
export const modelSaying = (text: string): ModelAnswer => ({
  ok: true,
  reply: { text, thinking: '', finish: 'stop', usage: { inputTokens: 9, outputTokens: 3 }, latencyMs: 4 },
});

/** A model's reply that chooses a program. */
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

/** The planner's stores: in-memory implementations, which nothing here loads. */
interface PlannerStores {
  readonly ledger: ModelLedger;
  readonly breaker: ModelBreaker;
}

/** A planner without a network, whose only target `site` replies as scripted, and its recorded requests. */
export class ScriptedPlanner {
  readonly planner: Planner;
  readonly clock = new ManualClock();
  readonly breaker: ModelBreaker;
  readonly asked: string[] = [];
  /** For each turn, whether others may take the work at once. */
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

  /** Aborts its calls. */
  end(): void {
    this.ending.abort();
  }
}
