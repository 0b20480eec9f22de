import { connectDatabase, migrate, PostgresStore } from '@fleet/store';
import { aCycle, aNewSession, anEvent, startPostgres } from '@fleet/testing';
import { deliver, figure } from './figures';

/** Sessions that move at the same time. */
const TOGETHER = 20;
/** Moves of each. */
const MOVES = 100;

const perSecond = async (count: number, act: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await act();
  return (count * 1_000) / (performance.now() - from);
};

/** What a session costs in PostgreSQL that waits for its disk. A facility of 10,000 sessions a day makes about ten moves a second. */
describe('the store in PostgreSQL', () => {
  it('moves sessions', async () => {
    const server = await startPostgres(['fsync=on', 'full_page_writes=on']);
    const db = connectDatabase(await server.newDatabase(), { connections: TOGETHER });
    await migrate(db);
    const { records } = new PostgresStore(db);
    const made = Array.from({ length: TOGETHER }, () => aNewSession());
    const created = await perSecond(TOGETHER * 20, async () => {
      await Promise.all(made.map((one) => records.create(one, [anEvent()], 1000)));
      for (let round = 1; round < 20; round += 1)
        await Promise.all(made.map(() => records.create(aNewSession(), [anEvent()], 1000)));
    });
    const moved = await perSecond(TOGETHER * MOVES, () =>
      Promise.all(
        made.map(async ({ id }) => {
          for (let version = 1; version <= MOVES; version += 1) {
            const to = { stage: 'deciding', cycle: version + 1, attempt: 1 } as const;
            const events = [anEvent(), anEvent()];
            const cycleRecord = aCycle({ cycle: version });
            const done = await records.advance({
              sessionId: id,
              fromVersion: version,
              to,
              cycleRecord,
              events,
              dueInMs: 1,
            });
            expect(done.applied).toBe(true);
          }
        }),
      ),
    );
    await db.destroy();
    await server.stop();
    deliver([
      figure('submissions per second, 20 at once', created, '>=', 100),
      figure('moves of sessions per second, 20 at once (cycle, two events)', moved, '>=', 100),
    ]);
  });
});
