import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRun } from '@fleet/attempt-runner';
import type { Session } from '@fleet/contracts';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { Facility, script, testData, type CommandResult } from './facility';
import { outcomeOf, programsOf } from './outcome';
import { programsAtWork, signalled, type AtWork } from './processes';

const stateOf = (pid: number): string =>
  /^State:\s+(\S)/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1] ?? '';

/** False where it has ended meanwhile. */
const isHeld = ({ program, folder }: AtWork): boolean =>
  signalled(program.pid, 'SIGSTOP') && readRun(folder) !== undefined;

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
      const [found] = programsAtWork(at);
      if (found !== undefined && isHeld(found)) return found;
      await sleep(20);
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
    expect(stateOf(held.program.pid)).toBe('T');
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

    // The same process, still claimed by the same supervisor.
    expect(readRun(held.folder)).toMatchObject({ startedAt: held.startedAt, program: { pid: held.program.pid } });
    process.kill(held.program.pid, 'SIGCONT');
    const ended = await Promise.all([atWork, justSubmitted].map(watched));
    for (const session of ended) {
      expect(programsOf(session)).toEqual(['phenix.xtriage', 'phenix.model_vs_data']);
      expect(session.cycles.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
      expect(session.stop?.reason).toBe('max_cycles');
    }
    const adopted = ended[0]?.cycles.flatMap(({ attempts }) => attempts) ?? [];
    expect(adopted.map(({ startedAt }) => startedAt)).toContain(held.startedAt);
    rmSync(file);
  });
});
