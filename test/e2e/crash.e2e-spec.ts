import { readFileSync } from 'node:fs';
import { Facility, testData } from './facility';
import { outcomeOf, shapeOf } from './outcome';
import { programPids } from './program-pids';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const kill = (pid: number): boolean => {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
};

/** kill -9 of any one process, Redis and the running program included, at random moments of a real session. */
describe('kill -9 at 20 random moments', () => {
  const moments = 20;
  let facility: Facility;
  beforeAll(async () => {
    facility = await Facility.start([testData()], {
      FLEET_MAX_ATTEMPTS: '10',
      // A killed worker's step is free again after its lock: seconds here, so that 20 kills fit into minutes.
      FLEET_STEP_LOCK_MS: '2000',
      FLEET_SWEEP_RECHECK_MS: '3000',
    });
  });
  afterAll(async () => {
    await facility.stop();
  });

  const submitTiny = (): Promise<string> =>
    facility.submit(testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb'));
  const ended = async (id: string): Promise<boolean> =>
    !['running', 'cancelling'].includes((await outcomeOf(facility, id)).status);

  const victims = (): number[] => [
    ...Object.values(facility.state.services).map(({ pid }) => pid),
    facility.state.redis.pid,
    ...programPids(facility.state.workRoot),
  ];

  it('ends every session as if nothing had happened, with no cycle twice', async () => {
    const undisturbed = await submitTiny();
    await facility.phx('watch', undisturbed);
    const expected = shapeOf(await outcomeOf(facility, undisturbed));

    const sessions: string[] = [];
    for (let killed = 0; killed < moments;) {
      const last = sessions.at(-1);
      if (last === undefined || (await ended(last))) sessions.push(await submitTiny());
      await pause(Math.random() * 4_000);
      const candidates = victims();
      if (kill(candidates[Math.floor(Math.random() * candidates.length)] ?? 0)) killed += 1;
      await facility.revive();
    }
    for (const id of sessions) {
      expect((await facility.phx('watch', id)).code).toBe(0);
      const session = await outcomeOf(facility, id);
      expect(shapeOf(session)).toEqual(expected);
      expect(session.cycles.map(({ cycle }) => cycle)).toEqual(session.cycles.map((_, index) => index + 1));
    }
  });

  it('rebuilds sessions into an empty Redis from their folders, just submitted or under way, and they go on', async () => {
    const underWay = await submitTiny();
    await pause(3_000);
    const justSubmitted = await submitTiny();
    const { redis } = facility.state;
    const { Redis } = await import('ioredis');
    const client = new Redis(readFileSync(redis.urlFile, 'utf8').trim());
    await client.flushall();
    await client.quit();
    await facility.revive();
    expect((await facility.phx('recover')).code).toBe(0);
    for (const id of [underWay, justSubmitted]) expect((await facility.phx('watch', id)).code).toBe(0);
  });
});
