import { Queues } from '@fleet/contracts';
import { anEvent } from '@fleet/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdleWork } from './idle-stages';
import { countOf, eventually, queues, startLoop, submit, trailOf, type Loop } from './loop-harness';

const work: IdleWork = { cycles: 3, maxWorkMs: 5, stillRunning: 0, dueInMs: 1_500 };

describe('the loop', () => {
  let loop: Loop;
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await loop.end();
  });

  it('brings sessions from their submission to their end, each transition once and in order', async () => {
    const workers = queues.map((queue) => loop.start(queue, work));
    await Promise.all(workers.map(({ ready }) => ready));
    const ids = await submit(loop.store, 20);
    await eventually(
      () => countOf(loop.store, 'completed'),
      (done) => done === ids.length,
    );
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
  });

  it('lets a step end that wakes its successor when the worker is told to end', async () => {
    const slow = { ...work, minWorkMs: 1_500, maxWorkMs: 2_000 };
    const worker = loop.start(Queues.decisions, slow);
    await worker.ready;
    const [id = ''] = await submit(loop.store, 1);
    await eventually(
      () => activeJobs(loop, 'decisions'),
      (active) => active === 1,
    );
    worker.child.kill('SIGTERM');
    await expect(worker.ended).resolves.toBe('SIGTERM');
    await expect(loop.store.records.loadHead(id)).resolves.toMatchObject({ stage: 'executing', version: 2 });
    await expect(loop.redis.exists(`loop:bq:executions:${id}-v2-w0`)).resolves.toBe(1);
    expect(worker.lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
  });

  it('heals when every key of the queues is deleted', async () => {
    const workers = queues.map((queue) => loop.start(queue, { ...work, cycles: 10, maxWorkMs: 60 }));
    await Promise.all(workers.map(({ ready }) => ready));
    const ids = await submit(loop.store, 30);
    for (let round = 0; round < 3; round += 1) {
      await sleep(500);
      const keys = await loop.redis.keys('loop:bq:*');
      expect(keys.length).toBeGreaterThan(0);
      await loop.redis.del(...keys);
    }
    await eventually(
      () => countOf(loop.store, 'completed'),
      (done) => done === ids.length,
    );
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(10));
  });

  it('moves no cancelled session on, and ends it', async () => {
    const workers = queues.map((queue) => loop.start(queue, { ...work, cycles: 200, maxWorkMs: 30 }));
    await Promise.all(workers.map(({ ready }) => ready));
    const ids = await submit(loop.store, 20);
    await sleep(1_000);
    for (const id of ids) await expect(loop.store.records.requestCancel(id, anEvent())).resolves.toBe('cancelling');
    await eventually(
      () => countOf(loop.store, 'cancelled'),
      (done) => done === ids.length,
    );
    for (const id of ids) {
      const trail = await loop.store.events.transitions(id);
      expect(trail.at(-2)).toMatch(/->cancelling$/);
      expect(trail.at(-1)).toMatch(/->ended:cancelled$/);
    }
  });

  it('does a step once however often it is woken', async () => {
    const worker = loop.start(Queues.decisions, work);
    await worker.ready;
    const [id = ''] = await submit(loop.store, 1);
    for (let again = 0; again < 5; again += 1) await loop.store.schedule.postpone(id, 1, 0, true);
    await eventually(
      () => loop.store.records.loadHead(id),
      (head) => head?.version === 2,
    );
    await sleep(1_000);
    await expect(loop.store.events.transitions(id)).resolves.toEqual(['2 1.1 deciding->executing']);
  });
});

const activeJobs = (loop: Loop, queue: string): Promise<number> => loop.redis.llen(`loop:bq:${queue}:active`);
