import type { IdleWork } from './idle-stages';
import { allEnded, countOf, eventually, moreMoves, startLoop, submit, trailOf, type Loop } from './loop-harness';

const work: IdleWork = { cycles: 25, maxWorkMs: 80, stillRunning: 0.05, dueInMs: 1_500 };

type Trouble = (redis: Loop['redis']) => Promise<unknown>;

const refusals = async (redis: Loop['redis'], code: string): Promise<number> =>
  Number(new RegExp(`errorstat_${code}:count=(\\d+)`).exec(await redis.info('errorstats'))?.[1] ?? 0);

/** Until the workers have met it often. */
const refused =
  (code: string): Trouble =>
  (redis) =>
    eventually(
      () => refusals(redis, code),
      (count) => count >= 6,
    );
const nothing: Trouble = () => Promise.resolve();

/** What a Redis that lives may do to those who use it: the trouble, when it has lasted long enough, and its end. */
const troubles: readonly (readonly [Trouble, Trouble, Trouble])[] = [
  [
    (redis) => redis.config('SET', 'maxmemory', '1mb'),
    refused('OOM'),
    (redis) => redis.config('SET', 'maxmemory', '0'),
  ],
  // It answers READONLY to every write, as the old primary does after a failover.
  [(redis) => redis.replicaof('127.0.0.1', 1), refused('READONLY'), (redis) => redis.replicaof('NO', 'ONE')],
  // Longer than a worker holds a job; the next call has its answer when it is over.
  [(redis) => redis.client('PAUSE', 2_500), nothing, nothing],
  [(redis) => redis.script('FLUSH'), nothing, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'normal')],
];

describe('the loop over a Redis in trouble', () => {
  let loop: Loop;
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await loop.end();
  });

  it('stalls and recovers by itself: Redis full, read-only, slow, without its scripts, with cut connections', async () => {
    await loop.startAllHere(work);
    const ids = await submit(loop.store, 20);
    for (const [begin, enough, end] of troubles) {
      await moreMoves(loop.store, 20);
      await begin(loop.redis);
      await enough(loop.redis);
      await end(loop.redis);
    }
    // Otherwise the last troubles met a loop that had nothing to do.
    expect(await countOf(loop.store, 'running')).toBeGreaterThan(0);
    await allEnded(loop.store, ids.length);
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
  });
});
