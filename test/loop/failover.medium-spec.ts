import { startRedisBehindSentinel, type RedisBehindSentinel } from '@fleet/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdleWork } from './idle-stages';
import { countOf, eventually, loopOver, queues, submit, trailOf, type Loop } from './loop-harness';

const work: IdleWork = { cycles: 8, maxWorkMs: 120, stillRunning: 0, dueInMs: 1_500 };

describe('the loop over Redis behind Sentinels', () => {
  let loop: Loop<RedisBehindSentinel>;
  beforeEach(async () => {
    loop = loopOver(await startRedisBehindSentinel());
  });
  afterEach(async () => {
    await loop.end();
  });

  const anotherPrimaryThan = (port: number): Promise<number> =>
    eventually(
      () => loop.server.primaryPort(),
      (now) => now !== port,
    );

  it.each([
    ['the primary hands over to its replica', (): Promise<void> => loop.server.failOver()],
    ['the primary is killed', (): Promise<void> => loop.server.servers[0].kill()],
  ])('goes on where it was when %s', async (_, fail) => {
    const [primary, replica] = loop.server.servers;
    await eventually(
      () => loop.redis.wait(1, 1_000),
      (replicas) => replicas === 1,
    );
    const workers = queues.map((queue) => loop.start(queue, work));
    await Promise.all(workers.map(({ ready }) => ready));
    const ids = await submit(loop.store, 30);
    await loop.redis.wait(1, 1_000);
    await sleep(500);
    await fail();
    expect(await anotherPrimaryThan(primary.port)).toBe(replica.port);
    await eventually(
      () => countOf(loop.store, 'completed'),
      (done) => done === ids.length,
    );
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
  });
});
