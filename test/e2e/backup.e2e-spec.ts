import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readRun } from '@fleet/attempt-runner';
import { errnoOf, type Session } from '@fleet/contracts';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { Facility, script, testData, type CommandResult } from './facility';
import { outcomeOf, programsOf, shapeOf } from './outcome';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The program of a session that is at work, with the file that tells when it began. */
interface AtWork {
  readonly folder: string;
  readonly pid: number;
  readonly startedAt: string;
}

const programAtWork = (folder: string): AtWork | undefined => {
  for (const cycle of readdirSync(folder).filter((name) => /^c\d{3}-/.test(name))) {
    for (const attempt of readdirSync(path.join(folder, cycle)).filter((name) => name.endsWith('.running'))) {
      const running = path.join(folder, cycle, attempt);
      const run = readRun(running);
      if (run?.program !== undefined) return { folder: running, pid: run.program.pid, startedAt: run.startedAt };
    }
  }
  return undefined;
};

const stateOf = (pid: number): string =>
  /^State:\s+(\S)/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1] ?? '';

/** False where it has ended meanwhile: the next one is waited for. */
const isHeld = ({ pid, folder }: AtWork): boolean => {
  try {
    process.kill(pid, 'SIGSTOP');
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false;
    throw error;
  }
  return readRun(folder) !== undefined;
};

/** A fleet with real programs loses all that is in Redis, and gets it back from a backup. */
describe('a backup of a fleet at work', () => {
  let redis: RedisServer;
  let facility: Facility;
  let folder: string;
  const start = async (): Promise<void> => {
    facility = await Facility.start([testData()], { REDIS_URL: redis.url, FLEET_SWEEP_RECHECK_MS: '3000' }, folder);
  };
  beforeAll(async () => {
    redis = await startRedis();
    ({ folder } = facility = await Facility.start([testData()], {
      REDIS_URL: redis.url,
      FLEET_SWEEP_RECHECK_MS: '3000',
    }));
  });
  afterAll(async () => {
    await facility.stop();
    await redis.stop();
  });

  /** The command of docs/operations.md, beside the services. */
  const backup = (...args: readonly string[]): Promise<CommandResult> =>
    script('../dist/apps/backup/src/main.js', args, { REDIS_URL: redis.url });
  const submitTiny = (...settings: readonly string[]): Promise<string> =>
    facility.submit(...settings, testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb'));
  const watched = async (id: string): Promise<Session> => {
    await facility.phx('watch', id);
    return outcomeOf(facility, id);
  };
  const folderOf = async (id: string): Promise<string> => (await outcomeOf(facility, id)).folder;

  /** Waits for a program that calculates, and holds it still, so that it is at work for as long as the fleet is away. */
  const heldAtWork = async (id: string): Promise<AtWork> => {
    const at = await folderOf(id);
    for (;;) {
      const found = programAtWork(at);
      if (found !== undefined && isHeld(found)) return found;
      await pause(20);
    }
  };

  it('lets each session end as it would have, and programs that ran on are adopted', async () => {
    const short = ['--set', 'max_cycles=2'] as const;
    const atWork = await submitTiny(...short);
    const held = await heldAtWork(atWork);
    const justSubmitted = await submitTiny(...short);
    const file = path.join(folder, 'fleet.backup');
    expect(await backup('save', file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 sessions') as string,
    });

    await script('facility.mjs', ['stop', '--work', folder]);
    expect(stateOf(held.pid)).toBe('T');
    const client = new Redis(redis.url);
    await client.flushall();
    expect(await backup('verify', file)).toMatchObject({ code: 3 });
    expect(await backup('restore', file)).toMatchObject({ code: 0 });
    expect(await backup('verify', file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is whole') as string,
    });
    client.disconnect();
    await start();

    const undisturbed = await submitTiny(...short);
    // The same process, still claimed by the same supervisor.
    expect(readRun(held.folder)).toMatchObject({ startedAt: held.startedAt, program: { pid: held.pid } });
    process.kill(held.pid, 'SIGCONT');
    const ended = await Promise.all([atWork, justSubmitted, undisturbed].map(watched));
    const [first, second, third] = ended.map(shapeOf);
    expect([first, second]).toEqual([third, third]);
    for (const session of ended) {
      expect(programsOf(session)).toHaveLength(2);
      expect(session.cycles.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
    }
    const adopted = ended[0]?.cycles.flatMap(({ attempts }) => attempts) ?? [];
    expect(adopted.map(({ startedAt }) => startedAt)).toContain(held.startedAt);
    rmSync(file);
  });
});
