import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { seeded } from '../loop/seeded-kills';
import { Standalone, testData } from './standalone';
import { outcomeOf, shapeOf } from './outcome';
import { atWork, programsAtWork, signalled } from './processes';

/** Each victim with the moment of its death. crash.long-spec.ts kills at random moments. */
const kills = [
  ['gateway', 'a program is at work'],
  ['executor-worker', 'a program is at work'],
  ['the program', 'a program is at work'],
  ['decision-worker', 'a cycle has ended'],
  ['redis', 'a cycle has ended'],
  ['postgres', 'a program is at work'],
] as const;

/** The result for these data without a crash. */
const undisturbed = {
  status: 'completed',
  reason: 'converged',
  cycles: ['phenix.xtriage', 'phenix.model_vs_data', 'phenix.refine', 'phenix.refine', 'phenix.molprobity'].map(
    (program, index) => ({
      cycle: index + 1,
      program,
      outcome: 'success',
    }),
  ),
};

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(50);
};

describe('kill -9 of each process of an installation at work', () => {
  const standalone = useStarted('file', () =>
    Standalone.start([testData()], {
      // A killed worker's step is free again after its lock, and a program that died is missed at the next check.
      FLEET_STEP_LOCK_MS: '2000',
      FLEET_SWEEP_RECHECK_MS: '3000',
    }),
  );

  const submitTiny = (): Promise<string> =>
    standalone.submit(testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb'));
  /** Waits while the gateway waits for its PostgreSQL. */
  const recordOf = async (id: string): Promise<Session> => {
    let response = await fetch(`${standalone.state.url}/v1/sessions/${id}`);
    while (response.status === 503) {
      await sleep(100);
      response = await fetch(`${standalone.state.url}/v1/sessions/${id}`);
    }
    if (response.ok) return (await response.json()) as Session;
    throw new Error(`${id}: ${String(response.status)} ${await response.text()}`);
  };

  const sessions: string[] = [];
  const latest = async (): Promise<Session> => {
    const id = sessions.at(-1);
    const known = id === undefined ? undefined : await recordOf(id);
    if (known !== undefined && known.stop === undefined) return known;
    sessions.push(await submitTiny());
    return latest();
  };
  const endedCycles = async (): Promise<string> => {
    const { id, cycles } = await latest();
    return `${id} ${String(cycles.filter(({ result }) => result !== undefined).length)}`;
  };
  const programs = (): number[] => programsAtWork(standalone.state.workRoot).map(({ program }) => program.pid);

  const moments = {
    'a program is at work': async (): Promise<void> => {
      await until(async () => {
        await latest();
        return programs().length > 0;
      });
    },
    'a cycle has ended': async (): Promise<void> => {
      const before = await endedCycles();
      await until(async () => (await endedCycles()) !== before);
    },
  };
  const pidsOf = (victim: string): readonly number[] => {
    if (victim === 'the program') return programs();
    if (victim === 'redis' || victim === 'postgres') return [standalone.state[victim].pid];
    return [standalone.state.services[victim]?.pid ?? Number.NaN];
  };

  const killEach = seeded(30, async (dice) => {
    const left = [...kills];
    while (left.length > 0) {
      const [[victim, moment] = kills[0]] = left.splice(dice.below(left.length), 1);
      do await moments[moment]();
      while (!pidsOf(victim).some((pid) => signalled(pid, 'SIGKILL')));
      await standalone.revive();
    }
    for (const id of sessions) {
      expect((await standalone.phx('watch', id)).code).toBe(0);
      expect(shapeOf(await outcomeOf(standalone, id))).toEqual(undisturbed);
    }
  });
  it('ends each session as if nothing had happened', killEach);

  it('rebuilds submitted and running sessions from their folders into an empty database and Redis, and they end', async () => {
    const short = ['--set', 'max_cycles=1', testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb')];
    const inProgress = await standalone.submit(...short);
    await atWork(standalone.state.workRoot);
    const justSubmitted = await standalone.submit(...short);
    const { folder } = await recordOf(justSubmitted);
    await until(() => existsSync(join(folder, 'session.json')));
    const client = new Client({ connectionString: readFileSync(standalone.state.postgres.urlFile, 'utf8').trim() });
    await client.connect();
    await client.query('TRUNCATE sessions CASCADE');
    await client.end();
    const queues = new Redis(readFileSync(standalone.state.redis.urlFile, 'utf8').trim());
    await queues.flushall();
    queues.disconnect();
    await standalone.revive();
    expect((await standalone.phx('recover')).code).toBe(0);
    for (const id of [inProgress, justSubmitted]) {
      await standalone.phx('watch', id);
      const { cycles, stop } = await outcomeOf(standalone, id);
      expect([stop?.reason, cycles.map(({ result }) => result?.outcome)]).toEqual(['max_cycles', ['success']]);
    }
  });
});
