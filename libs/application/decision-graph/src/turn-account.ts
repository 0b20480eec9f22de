import type { ModelFailureClass, ModelOutcome } from '@fleet/contracts';
import type { TurnAccount } from '@fleet/model-turns';
import {
  isoTime,
  type Clock,
  type ModelAnswer,
  type ModelBudgets,
  type ModelLedger,
  type ModelRequest,
  type ModelSpending,
  type ModelTarget,
  type ModelUsage,
  type ModelWork,
} from '@fleet/ports';

/** How requests are accounted for. */
export interface Accounting {
  readonly ledger: Pick<ModelLedger, 'reserve' | 'settle'>;
  readonly budgets: ModelBudgets;
  readonly clock: Clock;
}

/** Logs and numbers have no fewer characters a token than this. */
const charactersPerToken = 1.7;

/** A target that answers so has not worked: nothing is owed. */
const unpaid: readonly ModelFailureClass[] = ['rate_limit', 'quota', 'auth', 'unavailable', 'overflow', 'bad_request'];

const nothing: ModelSpending = { requests: 0, tokens: 0, cost: 0 };

const costOf = ({ price }: ModelTarget, input: number, output: number): number | undefined =>
  price === undefined ? undefined : (input * price.input + output * price.output) / 1_000_000;

/** What a request may use at the most. */
const mostOf = (target: ModelTarget, { messages }: ModelRequest): ModelSpending => {
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  const input = Math.ceil(characters / charactersPerToken);
  const output = target.maxOutputTokens;
  return { requests: 1, tokens: input + output, cost: costOf(target, input, output) ?? 0 };
};

interface Used {
  readonly tokens: number;
  readonly cost: number | null;
}

/** Undefined where the target did not count. */
const usedOf = (target: ModelTarget, { inputTokens, outputTokens }: ModelUsage): Used | undefined =>
  inputTokens === undefined || outputTokens === undefined
    ? undefined
    : { tokens: inputTokens + outputTokens, cost: costOf(target, inputTokens, outputTokens) ?? null };

/** What of the reservation was not used. Where nobody has counted, all of it was. */
const lessOf = (used: Used | undefined, came: ModelOutcome['came'], most: ModelSpending): ModelSpending => {
  if (used !== undefined) return { requests: 0, tokens: most.tokens - used.tokens, cost: most.cost - (used.cost ?? 0) };
  return unpaid.some((one) => one === came) ? { ...most, requests: 0 } : nothing;
};

const outcomeOf = (answer: ModelAnswer, used: Used | undefined): ModelOutcome => {
  const { usage, latencyMs } = answer.ok ? answer.reply : answer.failure;
  const came = answer.ok ? { came: 'answered' as const } : { came: answer.failure.class, why: answer.failure.why };
  return { ...came, latencyMs, ...usage, cost: used?.cost ?? null };
};

const notMade = (of: 'aborted' | 'budget', why: string): ModelAnswer & { ok: false } => ({
  ok: false,
  failure: { class: of, why, usage: {}, latencyMs: 0 },
});

const budgetOf: Readonly<Record<keyof ModelBudgets, string>> = {
  session: 'of the session',
  proposal: 'of the proposal',
  day: 'of the day',
};

/** The account of a turn: each request stands in the ledger before it is made, and is made only within the budgets. */
export const accountOf = ({ ledger, budgets, clock }: Accounting, work: ModelWork): TurnAccount => ({
  reserve: async (target, request) => {
    const most = mostOf(target, request);
    const asked = { target: target.id, model: target.model, ...request.asked, at: isoTime(clock) };
    const reserved = await ledger.reserve(work, asked, most, budgets);
    if ('refused' in reserved)
      return reserved.refused === 'not_held'
        ? notMade('aborted', 'another worker does this by now')
        : notMade('budget', `the budget ${budgetOf[reserved.refused.budget]} does not allow another request`);
    return async (answer) => {
      const used = usedOf(target, answer.ok ? answer.reply.usage : answer.failure.usage);
      const outcome = outcomeOf(answer, used);
      await ledger.settle(work, reserved, outcome, lessOf(used, outcome.came, most));
    };
  },
});
