import { attemptName } from '@fleet/contracts';
import { claimantOf, nextToLaunch } from '@fleet/fair-shares';
import type { Clock } from '@fleet/ports';
import {
  aLaunchPolicy,
  anId,
  aNewSession,
  aSharedRun,
  launchControlContract,
  ManualClock,
  orphanRegisterContract,
  runSlotsContract,
  sharesControlContract,
  startPostgres,
  type Made,
  type PostgresServer,
} from '@fleet/testing';
import { connectDatabase, type StoreContext } from './database';
import { migrate } from './migrate';
import { PostgresLaunchControl, PostgresSharesControl } from './postgres-launch-control';
import { PostgresOrphanRegister } from './postgres-orphan-register';
import { PostgresRunSlots } from './postgres-run-slots';
import { PostgresStore } from './postgres-store';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server.stop();
});

const contextOn = async (clock: Clock): Promise<StoreContext> => {
  const db = connectDatabase(await server.newDatabase());
  await migrate(db);
  return { db, clock };
};

const fresh =
  <T>(Kind: new (context: StoreContext) => T) =>
  async (clock: Clock): Promise<Made<T>> => {
    const context = await contextOn(clock);
    return { made: new Kind(context), close: () => context.db.destroy() };
  };

runSlotsContract('PostgresRunSlots', fresh(PostgresRunSlots));
launchControlContract('PostgresLaunchControl', fresh(PostgresLaunchControl));
sharesControlContract('PostgresSharesControl', fresh(PostgresSharesControl));
orphanRegisterContract('PostgresOrphanRegister', fresh(PostgresOrphanRegister));

describe('PostgresRunSlots', () => {
  let context: StoreContext;
  let slots: PostgresRunSlots;
  beforeEach(async () => {
    context = await contextOn(new ManualClock());
    slots = new PostgresRunSlots(context);
    await slots.counted(aLaunchPolicy().site);
  });
  afterEach(() => context.db.destroy());

  it('gives no more places than there are, however many ask at the same time', async () => {
    const policy = aLaunchPolicy({ maxRunning: 5 });
    const asking = Array.from({ length: 20 }, () =>
      slots.ask(claimantOf(aSharedRun(attemptName(anId(), 1, 1)), policy), 1000),
    );
    const taken = (await Promise.all(asking)).filter((answer) => answer.taken);
    expect([taken.length, (await slots.census()).waiting]).toEqual([5, 15]);
  });

  it('makes sessions due whose runs are granted their place', async () => {
    const policy = aLaunchPolicy({ maxRunning: 1 });
    const { records, schedule } = new PostgresStore(context.db, context.clock);
    const made = aNewSession();
    await records.create(made, [], 60_000);
    await slots.ask(claimantOf(aSharedRun('first'), policy), 1000);
    await slots.ask(claimantOf(aSharedRun(attemptName(made.id, 1, 1)), policy), 1000);
    await slots.release('first');
    const { census, waiters, revision } = await slots.line();
    expect(await schedule.overdue(10)).toEqual([]);
    await slots.grant(nextToLaunch(census, waiters, policy).start, revision);
    expect((await schedule.overdue(10)).map(({ id }) => id)).toEqual([made.id]);
  });
});
