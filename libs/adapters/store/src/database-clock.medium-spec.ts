import { aNewSession, eventually } from '@fleet/testing';
import type { Database } from './database';
import { DatabaseClock } from './database-clock';
import { useDatabases } from './fixtures/databases';
import { PostgresStore } from './postgres-store';

const databases = useDatabases();
const hourMs = 3_600_000;

describe("deadlines by the database's clock", () => {
  let db: Database;
  const clocks: DatabaseClock[] = [];
  const clockOf = (elapsed?: () => number): DatabaseClock => {
    const clock = new DatabaseClock(db, elapsed);
    clocks.push(clock);
    return clock;
  };
  beforeEach(async () => {
    ({ db } = await databases.context());
  });
  afterEach(() => {
    for (const clock of clocks.splice(0)) clock.close();
    jest.restoreAllMocks();
  });

  it('are the same on a machine whose clock is an hour ahead', async () => {
    const here = new PostgresStore(db, clockOf());
    await clocks[0]?.measure();
    const made = aNewSession();
    await here.records.create(made, [], 15_000);
    const machine = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => machine() + hourMs);
    const there = new PostgresStore(db, clockOf());
    await expect(there.schedule.overdue(10)).resolves.toHaveLength(1);
    await clocks[1]?.measure();
    await expect(there.schedule.overdue(10)).resolves.toEqual([]);
    await there.schedule.postpone(made.id, 1, 0, true);
    // The two clocks may differ by some milliseconds.
    await eventually('it is due here', async () => (await here.schedule.overdue(10)).length === 1);
  });

  it('continue by a monotonic clock, and are measured again', async () => {
    let elapsed = 0;
    const clock = clockOf(() => elapsed);
    const before = Date.now();
    /** Between the time before and now; half of a slow round trip may be missing. */
    const isRight = (time: number): boolean => time > before - 60_000 && time < Date.now() + 60_000;
    await clock.measure();
    const begin = clock.now();
    expect(isRight(begin)).toBe(true);
    elapsed += 5_000_000;
    expect(clock.now()).toBe(begin + 5_000_000);
    await clock.measure();
    expect(isRight(clock.now())).toBe(true);
  });

  it('ignore a response that took too long', async () => {
    let elapsed = 0;
    const clock = clockOf(() => elapsed);
    await clock.measure();
    const slow = clock.measure();
    elapsed += 10_000;
    const before = clock.now();
    await slow;
    expect(clock.now()).toBe(before);
  });
});
