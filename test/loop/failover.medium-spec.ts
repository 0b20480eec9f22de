import { startRedisBehindSentinel, type RedisBehindSentinel } from '@fleet/testing';
import type { IdleWork } from './idle-stages';
import { allEnded, eventually, loopOver, moreMoves, submit, trailOf, type Loop } from './loop-harness';

const work: IdleWork = { cycles: 8, maxWorkMs: 120, stillRunning: 0, dueInMs: 1_500 };

describe('the loop over Redis behind Sentinels', () => {
  let loop: Loop<RedisBehindSentinel>;
  beforeEach(async () => {
    loop = await loopOver(await startRedisBehindSentinel());
  });
  afterEach(async () => {
    await loop.end();
  });

  const anotherPrimaryThan = (port: number): Promise<number> =>
    eventually(
      () => loop.server.primaryPort(),
      (now) => now !== port,
    );
  const replicated = (): Promise<number> =>
    eventually(
      () => loop.redis.wait(1, 1_000),
      (replicas) => replicas === 1,
    );

  it.each([
    ['the primary hands over to its replica', (): Promise<void> => loop.server.failOver()],
    ['the primary is killed', (): Promise<void> => loop.server.servers[0].kill()],
  ])('continues when %s', async (_, fail) => {
    const [primary, replica] = loop.server.servers;
    await replicated();
    await loop.startAllHere(work);
    const ids = await submit(loop.store, 20);
    await replicated();
    await moreMoves(loop.store, 20);
    await fail();
    expect(await anotherPrimaryThan(primary.port)).toBe(replica.port);
    await allEnded(loop.store, ids.length);
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
  });
});
