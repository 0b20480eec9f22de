import type { ModelFailureClass } from '@fleet/contracts/models';
import type { Metrics, ModelAnswer, ModelBudgets, ModelTarget } from '@fleet/ports';
import { MemoryModelBreaker } from '@fleet/redis';
import { ManualClock, useStores } from '@fleet/testing';
import { accountOf } from './turn-account';

const newStore = useStores();

const work = { session: 's1', proposal: 'mx1', name: 'c002-plan' };
const request = { messages: [{ role: 'user', text: 'what next?' }], asked: { prompt: 'plan 1', hash: 'ab' } } as const;
const target: ModelTarget = {
  id: 'site',
  model: 'qwen3',
  local: true,
  maxOutputTokens: 1_000,
  ask: () => Promise.reject(new Error('nothing is requested here')),
};

const answered: ModelAnswer = {
  ok: true,
  reply: { text: '{}', thinking: '', finish: 'stop', usage: {}, latencyMs: 2_500 },
};
const failed = (of: ModelFailureClass): ModelAnswer => ({
  ok: false,
  failure: { class: of, why: 'trouble', usage: {}, latencyMs: 500 },
});

/** An account, and its measurements. */
const measured = (budgets: ModelBudgets = {}) => {
  const counted: unknown[] = [];
  const observed: unknown[] = [];
  const metrics: Pick<Metrics, 'count' | 'observe'> = {
    count: (name, labels) => void counted.push({ name, ...labels }),
    observe: (name, labels, value) => void observed.push({ name, ...labels, value }),
  };
  const { ledger } = newStore();
  const breaker = new MemoryModelBreaker();
  const account = accountOf({ breaker, ledger, budgets, clock: new ManualClock(), metrics }, work);
  return { account, ledger, breaker, counted, observed };
};
type Measured = ReturnType<typeof measured>;

const requests = 'phenix_fleet_model_requests_total';
const seconds = 'phenix_fleet_model_request_seconds';

/** The measurements of a request with this answer. */
const settled = async (one: Measured, answer: ModelAnswer): Promise<void> => {
  const settle = await one.account.reserve(target, request);
  if (typeof settle !== 'function') throw new Error(settle.failure.why);
  await settle(answer);
};

describe('requests to models', () => {
  it.each([
    ['answered', answered, 2.5],
    ['timeout', failed('timeout'), 0.5],
    ['aborted', failed('aborted'), 0.5],
    ['bad_answer', failed('bad_answer'), 0.5],
  ] as const)('are counted, and their seconds measured: %s', async (result, answer, value) => {
    const one = measured();
    await one.ledger.hold(work);
    await settled(one, answer);
    expect(one.counted).toEqual([{ name: requests, target: 'site', result }]);
    expect(one.observed).toEqual([{ name: seconds, target: 'site', value }]);
  });

  it('are counted if the ledger is unavailable', async () => {
    const one = measured();
    await one.ledger.hold(work);
    one.ledger.settle = () => Promise.reject(new Error('out of memory'));
    await expect(settled(one, answered)).rejects.toThrow('out of memory');
    expect(one.counted).toEqual([{ name: requests, target: 'site', result: 'answered' }]);
  });

  it.each([
    ['resting', {}, (one: Measured) => one.breaker.report('site', 'down')],
    ['budget', { session: { tokens: 10 } }, () => Promise.resolve()],
  ] as const)('are counted without seconds if none is made: %s', async (result, budgets, before) => {
    const one = measured(budgets);
    await one.ledger.hold(work);
    await before(one);
    expect(await one.account.reserve(target, request)).toMatchObject({ failure: { class: result } });
    expect(one.counted).toEqual([{ name: requests, target: 'site', result }]);
    expect(one.observed).toEqual([]);
  });

  it('are counted without seconds if the question is longer than the context', () => {
    const one = measured();
    one.account.tooLong?.(target);
    expect(one.counted).toEqual([{ name: requests, target: 'site', result: 'too_long' }]);
    expect(one.observed).toEqual([]);
  });

  it('are not counted if another worker does the work', async () => {
    const one = measured();
    expect(await one.account.reserve(target, request)).toMatchObject({ failure: { class: 'aborted' } });
    expect([one.counted, one.observed]).toEqual([[], []]);
  });
});
