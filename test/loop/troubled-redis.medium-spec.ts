import { setTimeout as sleep } from 'node:timers/promises';
import type { IdleWork } from './idle-stages';
import { countOf, eventually, queues, startLoop, submit, trailOf, type Loop } from './loop-harness';

const work: IdleWork = { cycles: 30, maxWorkMs: 120, stillRunning: 0.05, dueInMs: 1_500 };

type Trouble = (redis: Loop['redis']) => Promise<unknown>;

/** What a Redis that lives may do to those who use it: the trouble, and its end. */
const troubles: readonly (readonly [Trouble, Trouble])[] = [
  [(redis) => redis.config('SET', 'maxmemory', '1mb'), (redis) => redis.config('SET', 'maxmemory', '0')],
  // It says READONLY to every write, as the old primary does after a failover.
  [(redis) => redis.replicaof('127.0.0.1', 1), (redis) => redis.replicaof('NO', 'ONE')],
  [(redis) => redis.client('PAUSE', 2_500), () => Promise.resolve()],
  [(redis) => redis.script('FLUSH'), (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'normal')],
];

describe('the loop over a Redis in trouble', () => {
  let loop: Loop;
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await loop.end();
  });

  it('stands still and goes on by itself: full, read-only, slow, with scripts forgotten and connections cut', async () => {
    const workers = queues.map((queue) => loop.start(queue, work));
    await Promise.all(workers.map(({ ready }) => ready));
    const ids = await submit(loop.store, 30);
    for (const [begin, end] of troubles) {
      await sleep(700);
      await begin(loop.redis);
      await sleep(2_500);
      await end(loop.redis);
    }
    // Otherwise the last troubles met a loop that had nothing to do.
    expect(await countOf(loop.store, 'running')).toBeGreaterThan(0);
    await eventually(
      () => countOf(loop.store, 'completed'),
      (done) => done === ids.length,
    );
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
    expect(workers.map(({ child }) => child.exitCode)).toEqual([null, null, null]);
  });
});
