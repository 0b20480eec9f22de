import type { RequestedModel, ModelOutcome } from '@fleet/contracts/models';
import type { ModelBudgets, ModelLedger, ModelSpending, ModelWork, ReservedRequest } from '@fleet/ports';
import { ManualClock } from '@fleet/testing';
import type { StoreContext } from '../database';
import { useDatabases } from '../fixtures/databases';
import { PostgresModelLedger } from './postgres-model-ledger';

const databases = useDatabases();
let clock: ManualClock;
let context: StoreContext;
let one: ModelLedger;
let other: ModelLedger;
beforeEach(async () => {
  clock = new ManualClock();
  context = await databases.context(clock);
  [one, other] = [new PostgresModelLedger(context), new PostgresModelLedger(context)];
});
/** Expires the first worker's heartbeat. */
const silence = (): void => clock.forward(15_000);

const work: ModelWork = { session: 's1', proposal: 'mx1', name: 'c003-plan' };
const request: RequestedModel = {
  target: 'site',
  model: 'qwen3',
  prompt: 'plan 1',
  hash: 'ab',
  at: '2026-11-23T08:00:00Z',
};
const most: ModelSpending = { requests: 1, tokens: 100, cost: 0.5 };
const used: ModelSpending = { requests: 0, tokens: 60, cost: 0.25 };
const answered: ModelOutcome = { result: 'answered', latencyMs: 5, inputTokens: 30, outputTokens: 10, cost: 0.25 };

const reserved = async (ledger: ModelLedger, of = work, budgets = {}): Promise<ReservedRequest> => {
  const reservation = await ledger.reserve(of, request, most, budgets);
  if ('refused' in reservation) throw new Error(JSON.stringify(reservation.refused));
  return reservation;
};

describe('the ledger of model requests', () => {
  it('assigns a job to one worker until it is released', async () => {
    expect([await one.hold(work), await other.hold(work), await one.hold(work)]).toEqual([true, false, true]);
    expect([await one.renew(work), await other.renew(work)]).toEqual([true, false]);
    await other.release(work);
    expect(await other.hold(work)).toBe(false);
    await one.release(work);
    expect([await one.renew(work), await other.hold(work), await one.hold(work)]).toEqual([false, true, false]);
    expect(await one.hold({ ...work, name: 'c004-plan' })).toBe(true);
  });

  it('keeps the job of a silent worker if no other worker took it, but not if one took and released it', async () => {
    await one.hold(work);
    silence();
    expect(await one.reserve(work, request, most, {})).toEqual({ number: 1, day: expect.any(Number) as number });
    expect([await one.renew(work), await other.hold(work)]).toEqual([true, false]);
    silence();
    await other.hold(work);
    await other.release(work);
    expect([await one.renew(work), await one.reserve(work, request, most, {})]).toEqual([
      false,
      { refused: 'not_held' },
    ]);
  });

  it('returns every request of a session with its outcome, in order', async () => {
    await one.hold(work);
    const first = await reserved(one);
    expect(await one.entries('s1')).toEqual([{ number: 1, work: 'c003-plan', ...request }]);
    await one.settle(work, first, answered, used);
    await one.settle(work, await reserved(one), { result: 'timeout', why: 'silent', latencyMs: 9, cost: null }, most);
    await reserved(one);
    const result = (await one.entries('s1')).map((entry) => [entry.number, entry.result, entry.cost]);
    expect(result).toEqual([
      [1, 'answered', 0.25],
      [2, 'timeout', null],
      [3, undefined, undefined],
    ]);
    expect(await one.entries('s2')).toEqual([]);
  });

  it('marks open requests as lost when another worker takes the job, or the same one takes it again', async () => {
    await one.hold(work);
    await one.settle(work, await reserved(one), answered, used);
    await reserved(one);
    const elsewhere = { ...work, name: 'c004-plan' };
    await one.hold(elsewhere);
    await reserved(one, elsewhere);
    silence();
    expect(await other.hold(work)).toBe(true);
    expect((await other.entries('s1')).map(({ result }) => result)).toEqual(['answered', 'lost', undefined]);
    await reserved(other);
    expect(await other.hold(work)).toBe(true);
    expect((await other.entries('s1')).at(-1)).toMatchObject({ number: 4, result: 'lost', cost: null });
  });

  it('rejects new requests of a worker that was considered dead, and records the outcome of its earlier ones', async () => {
    await one.hold(work);
    const late = await reserved(one);
    silence();
    await other.hold(work);
    expect(await one.renew(work)).toBe(false);
    expect(await one.reserve(work, request, most, {})).toEqual({ refused: 'not_held' });
    await one.settle(work, late, answered, used);
    expect(await one.entries('s1')).toEqual([{ number: 1, work: 'c003-plan', ...request, ...answered }]);
  });

  interface Apart {
    readonly whose: keyof ModelBudgets;
    readonly next: ModelWork;
    readonly free?: ModelWork;
  }
  const name = 'c002-plan';
  const [ofSession, ofProposal] = [
    { session: 's1', proposal: 'mx2', name },
    { session: 's2', proposal: 'mx1', name },
  ];
  const apart: readonly Apart[] = [
    { whose: 'session', next: ofSession, free: ofProposal },
    { whose: 'proposal', next: ofProposal, free: ofSession },
    { whose: 'day', next: { session: 's2', proposal: 'mx2', name } },
  ];
  it.each(apart)('enforces the budget of a $whose', async ({ whose, next, free }) => {
    await one.hold(work);
    const first = await reserved(one);
    await one.hold(next);
    const refused = { refused: { budget: whose } };
    const tokens = { [whose]: { requests: 2, tokens: 150 } };
    expect(await one.reserve(next, request, most, tokens)).toEqual(refused);
    await one.settle(work, first, answered, used);
    await reserved(one, next, tokens);
    for (const budget of [{ requests: 2 }, { tokens: 239 }, { cost: 1.2 }])
      expect(await one.reserve(next, request, most, { [whose]: budget })).toEqual(refused);
    if (free === undefined) return;
    await one.hold(free);
    await reserved(one, free, tokens);
  });

  it('keeps a job with a worker that renews it in time', async () => {
    await one.hold(work);
    clock.forward(14_000);
    await one.renew(work);
    clock.forward(14_000);
    expect(await other.hold(work)).toBe(false);
  });

  it('assigns a job to one of twenty workers', async () => {
    const workers = Array.from({ length: 20 }, () => new PostgresModelLedger(context));
    const held = await Promise.all(workers.map((worker) => worker.hold(work)));
    expect(held.filter((one) => one)).toHaveLength(1);
  });

  it('exceeds no budget and assigns no number twice, however many jobs of a session run at the same time', async () => {
    const works = Array.from({ length: 12 }, (_, index) => ({ ...work, name: `w${String(index)}` }));
    await Promise.all(works.map((each) => one.hold(each)));
    const budgets = { proposal: { requests: 7 } };
    const reserved = await Promise.all(works.map((each) => one.reserve(each, request, most, budgets)));
    const numbers = reserved.flatMap((one) => ('number' in one ? one.number : []));
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(reserved).toContainEqual({ refused: { budget: 'proposal' } });
    expect(await one.entries(work.session)).toHaveLength(7);
  });

  it("uses the store's clock for a day, and deletes it some days later", async () => {
    await one.hold(work);
    const day = Math.floor(clock.now() / 86_400_000);
    expect(await one.reserve(work, request, most, {})).toEqual({ number: 1, day });
    const days = context.db.selectFrom('model_accounts').select(['name', 'tokens']).where('kind', '=', 'day');
    expect(await days.execute()).toEqual([{ name: String(day), tokens: 100 }]);
    clock.forward(7 * 86_400_000);
    await one.hold(work);
    expect(await days.execute()).toHaveLength(1);
    clock.forward(86_400_000);
    await one.hold(work);
    expect(await days.execute()).toEqual([]);
  });

  it('deletes only sessions whose retention time is over', async () => {
    const passing = { ...work, session: 'v2', retentionMs: 1000 };
    for (const each of [work, passing]) {
      await one.hold(each);
      await one.reserve(each, request, most, {});
    }
    clock.forward(999);
    await one.renew(work);
    await one.hold(work);
    expect(await one.entries('v2')).toHaveLength(1);
    clock.forward(1);
    await one.hold(work);
    expect([await one.entries('v2'), await one.renew(passing)]).toEqual([[], false]);
    expect(await one.entries('s1')).toHaveLength(1);
  });
});
