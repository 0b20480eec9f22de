import { aNewSession, ManualClock, modelLedgerContract, modelWishesContract } from '@fleet/testing';
import type { StoreContext } from '../database';
import { useDatabases } from '../fixtures/databases';
import { PostgresStore } from '../postgres-store';
import { PostgresModelLedger } from './postgres-model-ledger';
import { PostgresModelWishes } from './postgres-model-wishes';

const databases = useDatabases();
let clock: ManualClock;
let context: StoreContext;
beforeEach(async () => {
  clock = new ManualClock();
  context = await databases.context(clock);
});

modelLedgerContract('PostgresModelLedger', () => {
  const [one, other] = [new PostgresModelLedger(context), new PostgresModelLedger(context)];
  const silence = (): Promise<void> => {
    clock.forward(15_000);
    return Promise.resolve();
  };
  return Promise.resolve({ one, other, silence });
});

const aSession = async (): Promise<string> => {
  const made = aNewSession();
  await new PostgresStore(context.db, clock).records.create(made, [], 1000);
  return made.id;
};

modelWishesContract('PostgresModelWishes', () =>
  Promise.resolve({
    wishes: new PostgresModelWishes(context),
    aSession,
    pass: (_, ms) => {
      clock.forward(ms);
      return Promise.resolve();
    },
  }),
);

describe('PostgresModelLedger', () => {
  const work = { session: 's1', proposal: 'mx1', name: 'c003-plan' };
  const asked = { target: 'site', model: 'qwen3', prompt: 'plan 1', hash: 'ab', at: '' };
  const most = { requests: 1, tokens: 9, cost: 0 };

  it('leaves a work to a worker that renews it in time', async () => {
    const [one, other] = [new PostgresModelLedger(context), new PostgresModelLedger(context)];
    await one.hold(work);
    clock.forward(14_000);
    await one.renew(work);
    clock.forward(14_000);
    expect(await other.hold(work)).toBe(false);
  });

  it('lets one of twenty workers have a work', async () => {
    const workers = Array.from({ length: 20 }, () => new PostgresModelLedger(context));
    const held = await Promise.all(workers.map((worker) => worker.hold(work)));
    expect(held.filter((one) => one)).toHaveLength(1);
  });

  it('exceeds no budget and gives no number twice, however many works of a session ask at the same time', async () => {
    const ledger = new PostgresModelLedger(context);
    const works = Array.from({ length: 12 }, (_, index) => ({ ...work, name: `w${String(index)}` }));
    await Promise.all(works.map((one) => ledger.hold(one)));
    const budgets = { proposal: { requests: 7 } };
    const reserved = await Promise.all(works.map((one) => ledger.reserve(one, asked, most, budgets)));
    const numbers = reserved.flatMap((one) => ('number' in one ? one.number : []));
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(reserved).toContainEqual({ refused: { budget: 'proposal' } });
    expect(await ledger.entries(work.session)).toHaveLength(7);
  });

  it('counts a day by the clock of the store, and forgets it after some more', async () => {
    const ledger = new PostgresModelLedger(context);
    await ledger.hold(work);
    const day = Math.floor(clock.now() / 86_400_000);
    expect(await ledger.reserve(work, asked, most, {})).toEqual({ number: 1, day });
    const days = context.db.selectFrom('model_accounts').select(['name', 'tokens']).where('kind', '=', 'day');
    expect(await days.execute()).toEqual([{ name: String(day), tokens: 9 }]);
    clock.forward(7 * 86_400_000);
    await ledger.hold(work);
    expect(await days.execute()).toHaveLength(1);
    clock.forward(86_400_000);
    await ledger.hold(work);
    expect(await days.execute()).toEqual([]);
  });

  it('forgets a session that is kept for a time after it, and no other one', async () => {
    const ledger = new PostgresModelLedger(context);
    const passing = { ...work, session: 'v2', keptMs: 1000 };
    for (const one of [work, passing]) {
      await ledger.hold(one);
      await ledger.reserve(one, asked, most, {});
    }
    clock.forward(999);
    await ledger.renew(work);
    await ledger.hold(work);
    expect(await ledger.entries('v2')).toHaveLength(1);
    clock.forward(1);
    await ledger.hold(work);
    expect([await ledger.entries('v2'), await ledger.renew(passing)]).toEqual([[], false]);
    expect(await ledger.entries('s1')).toHaveLength(1);
  });
});

it('PostgresModelWishes takes no wish for a session that is not there', async () => {
  expect(await new PostgresModelWishes(context).ask({ session: 'none' }, 1)).toBeUndefined();
});

it('PostgresModelWishes gives each wish to one of many that take at the same time', async () => {
  const wishes = new PostgresModelWishes(context);
  for (let made = 0; made < 3; made += 1) await wishes.ask({ session: await aSession() }, 1);
  const taken = await Promise.all(Array.from({ length: 9 }, () => wishes.take(60_000)));
  const sessions = taken.flatMap((wish) => wish?.session ?? []);
  expect(new Set(sessions).size).toBe(sessions.length);
  const rest = [await wishes.take(60_000), await wishes.take(60_000), await wishes.take(60_000)];
  expect([...sessions, ...rest.flatMap((wish) => wish?.session ?? [])]).toHaveLength(3);
});
