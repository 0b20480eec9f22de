import { attemptName } from '@fleet/contracts/runs';
import { claimantOf, nextToLaunch } from '@fleet/fair-shares';
import {
  aLaunchPolicy,
  anId,
  aNewSession,
  aSharedRun,
  launchControlContract,
  runSlotsContract,
  sharesControlContract,
} from '@fleet/testing';
import type { StoreContext } from '../database';
import { madeOn, useDatabases } from '../fixtures/databases';
import { PostgresLaunchControl, PostgresSharesControl } from './postgres-launch-control';
import { PostgresRunSlots } from './postgres-run-slots';
import { PostgresStore } from '../postgres-store';

const databases = useDatabases();

runSlotsContract('PostgresRunSlots', madeOn(databases, PostgresRunSlots));
launchControlContract('PostgresLaunchControl', madeOn(databases, PostgresLaunchControl));
sharesControlContract('PostgresSharesControl', madeOn(databases, PostgresSharesControl));

describe('PostgresRunSlots', () => {
  let context: StoreContext;
  let slots: PostgresRunSlots;
  beforeEach(async () => {
    context = await databases.context();
    slots = new PostgresRunSlots(context);
    await slots.counted(aLaunchPolicy().site);
  });

  it('assigns no more slots than exist, however many callers request one at the same time', async () => {
    const policy = aLaunchPolicy({ maxRunning: 5 });
    const asking = Array.from({ length: 20 }, () =>
      slots.ask(claimantOf(aSharedRun(attemptName(anId(), 1, 1)), policy), 1000),
    );
    const taken = (await Promise.all(asking)).filter((answer) => answer.taken);
    expect([taken.length, (await slots.census()).waiting]).toEqual([5, 15]);
  });

  it('makes sessions due whose runs are granted a slot', async () => {
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

  it('gives no slot to a run whose session has continued, however late it is reported as running or waiting', async () => {
    const { records } = new PostgresStore(context.db, context.clock);
    const made = aNewSession();
    const run = aSharedRun(attemptName(made.id, 1, 1));
    const claimant = claimantOf(run, aLaunchPolicy());
    const move = async (fromVersion: number, stage: 'executing' | 'analysing'): Promise<void> => {
      const to = { stage, cycle: 1, attempt: 1 } as const;
      await records.advance({ sessionId: made.id, fromVersion, to, events: [], dueInMs: 60_000 });
    };
    await records.create(made, [], 60_000);
    await move(1, 'executing');
    await slots.running(claimant);
    expect(await slots.members()).toEqual([run.name]);
    await move(2, 'analysing');
    await slots.release(run.name);
    await slots.running(claimant);
    await slots.waiting(run, 'in_line');
    expect(await slots.members()).toEqual([]);
  });
});
