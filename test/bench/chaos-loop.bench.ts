import { freePort } from '@fleet/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayGround } from '../loop/gateway-ground';
import type { IdleWork } from '../loop/idle-stages';
import { KeptProcess } from '../loop/kept-process';
import { countOf, eventually, queues, startLoop, submit, trailOf, type Loop } from '../loop/loop-harness';
import { deliver, figure, type Figure } from './figures';

/** The long form of `test/loop/kills.medium-spec.ts`. */
const work: IdleWork = { cycles: 20, minWorkMs: 100, maxWorkMs: 400, stillRunning: 0.05, dueInMs: 3_000 };
const SESSIONS = 200;
const RESTART_EVERY_MS = 5_000;
const RESTARTS_FOR_MS = 120_000;
const STILL_MS = 60_000;
const WITHIN_MS = 1_500_000;

const figures: Figure[] = [];
let loop: Loop;
let workers: readonly KeptProcess[] = [];

beforeEach(async () => {
  loop = await startLoop();
  workers = [...queues, ...queues].map((queue) => new KeptProcess(() => loop.start(queue, work)));
  await Promise.all(workers.map(({ ready }) => ready));
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await loop.end();
});

afterAll(() => deliver(figures));

/** How many sessions went through every transition once and in order, when all have ended. */
const whole = async (ids: readonly string[]): Promise<number> => {
  await eventually(
    () => countOf(loop.store, 'completed'),
    (done) => done === ids.length,
    WITHIN_MS,
  );
  const wanted = trailOf(work.cycles).join('\n');
  let count = 0;
  for (const id of ids) if ((await loop.store.events.transitions(id)).join('\n') === wanted) count += 1;
  return count;
};

/** How far all sessions together have come. */
const moves = async (): Promise<number> => {
  const { sessions } = await loop.store.index.list({}, 10_000);
  return sessions.reduce((sum, { version }) => sum + version, 0);
};

const redisPid = async (): Promise<number> =>
  Number(/process_id:(\d+)/.exec(await loop.redis.info('server'))?.[1] ?? Number.NaN);

describe('the loop in trouble for minutes', () => {
  it('all workers are killed every five seconds for two minutes', async () => {
    const ids = await submit(loop.store, SESSIONS);
    const until = Date.now() + RESTARTS_FOR_MS;
    let kills = 0;
    while (Date.now() < until) {
      await sleep(RESTART_EVERY_MS);
      for (const killed of await Promise.all(workers.map((worker) => worker.kill()))) kills += Number(killed);
    }
    // Otherwise the last kills met a loop that had nothing to do.
    expect(await countOf(loop.store, 'running')).toBeGreaterThan(0);
    figures.push(
      figure('workers killed, six every 5 s for 2 min', kills, '>=', 60),
      figure('sessions that ended as without, of 200', await whole(ids), '>=', SESSIONS),
    );
  }, 2_000_000);

  it('Redis stands still for a minute', async () => {
    const ground = new GatewayGround(loop.at);
    const port = await freePort();
    const gateway = ground.gateway(port);
    await gateway.ready;
    const ids = await submit(loop.store, SESSIONS);
    await sleep(5_000);
    const pid = await redisPid();
    const before = await moves();
    process.kill(pid, 'SIGSTOP');
    const begun = performance.now();
    const refused = ground.ask(port, 'meanwhile').then(() => (performance.now() - begun) / 1000);
    const submitted = ground.submit([port], 'meanwhile');
    await sleep(STILL_MS);
    process.kill(pid, 'SIGCONT');
    const again = performance.now();
    await eventually(moves, (now) => now > before + SESSIONS);
    const first = (performance.now() - again) / 1000;
    expect(workers.filter((worker) => worker.restarts > 0)).toEqual([]);
    figures.push(
      figure('Redis still for 60 s: seconds until a submission was refused', await refused, '<=', 30),
      figure('seconds after it until sessions move again, one move each', first, '<=', 30),
      figure(
        'sessions that ended as without, one of them submitted meanwhile',
        await whole([...ids, await submitted]),
        '>=',
        SESSIONS + 1,
      ),
    );
    gateway.child.kill('SIGKILL');
    await gateway.ended;
    ground.dispose();
  }, 2_000_000);
});
