import type { ModelFailureClass, ModelOutcome } from '@fleet/contracts/models';
import type { TurnAccount } from '@fleet/model-turns';
import {
  isoTime,
  type Clock,
  type Metrics,
  type ModelAnswer,
  type ModelBreaker,
  type ModelBudgets,
  type ModelLedger,
  type ModelRequest,
  type ModelSpending,
  type ModelTarget,
  type ModelUsage,
  type ModelWork,
  type TargetSign,
} from '@fleet/ports';

/** Accounting, metrics and circuit breaker of requests. */
export interface Accounting {
  readonly breaker: ModelBreaker;
  readonly ledger: Pick<ModelLedger, 'reserve' | 'settle'>;
  readonly budgets: ModelBudgets;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'count' | 'observe'>;
}

/** Minimum number of characters per token in logs and numbers. */
const charactersPerToken = 1.7;

/** A target with such a failure has not worked: nothing is charged. */
const unpaid: readonly ModelFailureClass[] = ['rate_limit', 'quota', 'auth', 'unavailable', 'overflow', 'bad_request'];

const nothing: ModelSpending = { requests: 0, tokens: 0, cost: 0 };

const costOf = ({ price }: ModelTarget, input: number, output: number): number | undefined =>
  price === undefined ? undefined : (input * price.input + output * price.output) / 1_000_000;

/** Maximum consumption of a request. */
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

/** Undefined if the target did not report its usage. */
const usedOf = (target: ModelTarget, { inputTokens, outputTokens }: ModelUsage): Used | undefined =>
  inputTokens === undefined || outputTokens === undefined
    ? undefined
    : { tokens: inputTokens + outputTokens, cost: costOf(target, inputTokens, outputTokens) ?? null };

/** The unused part of the reservation. Without a reported usage, all of it was used. */
const lessOf = (used: Used | undefined, result: ModelOutcome['result'], most: ModelSpending): ModelSpending => {
  if (used !== undefined) return { requests: 0, tokens: most.tokens - used.tokens, cost: most.cost - (used.cost ?? 0) };
  return unpaid.some((one) => one === result) ? { ...most, requests: 0 } : nothing;
};

const outcomeOf = (answer: ModelAnswer, used: Used | undefined): ModelOutcome => {
  const { usage, latencyMs } = answer.ok ? answer.reply : answer.failure;
  const result = answer.ok
    ? { result: 'answered' as const }
    : { result: answer.failure.class, why: answer.failure.why };
  return { ...result, latencyMs, ...usage, cost: used?.cost ?? null };
};

/** What the outcome of a request shows about its target; every other outcome shows that it works. */
const signs: Readonly<Partial<Record<ModelOutcome['result'], TargetSign>>> = {
  unavailable: 'trouble',
  bad_answer: 'trouble',
  rate_limit: 'trouble',
  timeout: 'down',
  auth: 'down',
  quota: 'down',
  aborted: 'unknown',
};

/** A target that requests a longer pause than a turn waits is suspended. */
const shortRestMs = 5_000;

const signOf = (answer: ModelAnswer): readonly [TargetSign, restMs: number] => {
  if (answer.ok) return ['works', 0];
  const { class: result, retryAfterMs = 0 } = answer.failure;
  return [retryAfterMs > shortRestMs ? 'down' : (signs[result] ?? 'works'), retryAfterMs];
};

const notMade = (of: 'aborted' | 'budget' | 'resting', why: string): ModelAnswer & { ok: false } => ({
  ok: false,
  failure: { class: of, why, usage: {}, latencyMs: 0 },
});

/** Counts a request that the site does not allow now. */
const heldBack = (
  metrics: Accounting['metrics'],
  { id: target }: ModelTarget,
  result: 'budget' | 'resting',
  why: string,
): ModelAnswer & { ok: false } => {
  metrics.count('phenix_fleet_model_requests_total', { target, result });
  return notMade(result, why);
};

/** Measures the outcome of a request. */
const measure = (metrics: Accounting['metrics'], { id: target }: ModelTarget, answer: ModelAnswer): void => {
  const { latencyMs } = answer.ok ? answer.reply : answer.failure;
  const result = answer.ok ? 'answered' : answer.failure.class;
  metrics.count('phenix_fleet_model_requests_total', { target, result });
  metrics.observe('phenix_fleet_model_request_seconds', { target }, latencyMs / 1000);
};

const budgetOf: Readonly<Record<keyof ModelBudgets, string>> = {
  session: 'of the session',
  proposal: 'of the proposal',
  day: 'of the day',
};

/**
 * The account of a turn: each request is entered in the ledger before it is made, and is made only within the budgets, and only if the target
 * is not suspended.
 */
export const accountOf = ({ breaker, ledger, budgets, clock, metrics }: Accounting, work: ModelWork): TurnAccount => ({
  tooLong: ({ id: target }) => metrics.count('phenix_fleet_model_requests_total', { target, result: 'too_long' }),
  reserve: async (target, request) => {
    if (!(await breaker.admit(target.id)))
      return heldBack(metrics, target, 'resting', 'it failed recently and is skipped for a while');
    const most = mostOf(target, request);
    const inquiry = { target: target.id, model: target.model, ...request.asked, at: isoTime(clock) };
    const reserved = await ledger.reserve(work, inquiry, most, budgets).catch(async (error: unknown) => {
      await breaker.report(target.id, 'unknown');
      throw error;
    });
    if ('refused' in reserved) {
      await breaker.report(target.id, 'unknown');
      return reserved.refused === 'not_held'
        ? notMade('aborted', 'another worker does this already')
        : heldBack(
            metrics,
            target,
            'budget',
            `the budget ${budgetOf[reserved.refused.budget]} does not allow another request`,
          );
    }
    return async (answer) => {
      measure(metrics, target, answer);
      const used = usedOf(target, answer.ok ? answer.reply.usage : answer.failure.usage);
      const outcome = outcomeOf(answer, used);
      try {
        await ledger.settle(work, reserved, outcome, lessOf(used, outcome.result, most));
      } finally {
        await breaker.report(target.id, ...signOf(answer));
      }
    };
  },
});
