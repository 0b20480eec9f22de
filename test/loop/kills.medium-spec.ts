import { freePort } from '@fleet/testing';
import { GatewayGround, preloaded } from './gateway-ground';
import { startIdleProcess } from './idle-process';
import type { IdleWork } from './idle-stages';
import { KeptProcess } from './kept-process';
import { allEnded, eventually, movesIn, queues, startLoop, trailOf, type Loop } from './loop-harness';
import { killAlong, seeded, someKills, type Victim } from './seeded-kills';

const SESSIONS = 12;
const work: IdleWork = { cycles: 8, maxWorkMs: 60, stillRunning: 0.1, dueInMs: 1_000 };
/** After that of the gateway. */
const KILLS = 9;

/** Crash points are enumerated in test/crash-points; the long form of this suite is kills.long-spec.ts. */
describe('killed gateway, workers, PostgreSQL and Redis', () => {
  let loop: Loop;
  let ground: GatewayGround;
  let processes: readonly KeptProcess[] = [];
  beforeAll(async () => {
    loop = await startLoop();
    ground = new GatewayGround(loop.at);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await loop.end();
    ground.dispose();
  });

  /** Kills the gateway between the record of a session and its first job; another one comes in its place. */
  const killedAtQueue = async (port: number): Promise<void> => {
    const envs = [preloaded('stand-still.mjs')];
    const gateway = new KeptProcess(() => ground.gateway(port, envs.shift()));
    processes = [gateway];
    await gateway.ready;
    const answer = ground.ask(port, 'once');
    await eventually(
      () => Promise.resolve(gateway.lines),
      (lines) => lines.includes('stands still at queue'),
    );
    await gateway.killWhenUp();
    await expect(answer).resolves.toBeUndefined();
    const { sessions } = await loop.store.index.list({}, 10);
    expect(sessions).toMatchObject([{ status: 'running', stage: 'deciding', version: 1 }]);
    await expect(loop.redis.exists(`loop:bq:decisions:${sessions[0]?.id ?? ''}-v1-w0`)).resolves.toBe(0);
  };

  it(
    'end every session as one that nobody disturbs: no transition lost, repeated or out of order, and one session a key',
    seeded(30, async (dice) => {
      const port = await freePort();
      await killedAtQueue(port);
      const workers = queues.map((queue) => new KeptProcess(() => startIdleProcess(queue, work, loop.env)));
      processes = [...processes, ...workers];
      await Promise.all(processes.map(({ ready }) => ready));
      const victims: readonly Victim[] = [
        ...workers.map((worker, index) => ({ name: queues[index] ?? '', kill: () => worker.killWhenUp() })),
        { name: 'PostgreSQL', kill: () => loop.postgres.crash() },
        { name: 'Redis', kill: () => loop.server.restart() },
      ];
      const kills = someKills(dice, victims, KILLS, SESSIONS * 3 * work.cycles * 0.8);
      const keys = ['once', ...Array.from({ length: SESSIONS - 1 }, (_, index) => `key-${String(index)}`)];
      const [ids] = await Promise.all([
        Promise.all(keys.map((key) => ground.submit([port], key))),
        killAlong(kills, () => movesIn(loop.store)),
      ]);
      await allEnded(loop.store, SESSIONS);
      for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
      await expect(ground.ask(port, 'once')).resolves.toEqual({ id: ids[0], replayed: true });
    }),
  );
});
