import { setTimeout as pause } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { QueuedFailures } from './queued-failures';

let server: RedisServer;
let redis: Redis;
let queues: readonly [Queue, Queue, Queue];
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: null });
  const queue = (name: string): Queue => new Queue(name, { connection: redis, prefix: 'bq' });
  queues = [queue('decisions'), queue('executions'), queue('analyses')];
});
afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.close()));
  redis.disconnect();
  await server.stop();
});

it('lists the jobs that failed for good, until they are dropped', async () => {
  const failures = new QueuedFailures(...queues);
  await expect(failures.list()).resolves.toEqual([]);
  const [, executions] = queues;
  const sessionId = '01jd7v9s6m2x4k8q0w5c3b1n7r';
  await executions.add('execute', { version: 1, sessionId, sessionVersion: 4 }, { jobId: 'readable' });
  await executions.add('execute', { version: 1 }, { jobId: 'unreadable' });
  await executions.add('execute', { version: 99 }, { jobId: 'newer' });
  const worker = new Worker('executions', () => Promise.reject(new UnrecoverableError('file.gone: no')), {
    connection: { port: server.port, maxRetriesPerRequest: null },
    prefix: 'bq',
  });
  while ((await executions.getFailedCount()) < 3) await pause(20);
  await worker.close();
  await executions.add('execute', {}, { jobId: 'waits' });
  const listed = await failures.list();
  expect(listed.map(({ id, of }) => [id, of?.sessionVersion])).toEqual(
    expect.arrayContaining([
      ['readable', 4],
      ['unreadable', undefined],
      ['newer', undefined],
    ]),
  );
  const readable = listed.find(({ id }) => id === 'readable');
  expect(readable).toMatchObject({ queue: 'executions', job: 'execute', of: { sessionId }, reason: 'file.gone: no' });
  expect(readable?.stack[0]).toContain('file.gone: no');
  for (const id of ['readable', 'waits', 'never was']) await failures.forget({ queue: 'executions', id });
  expect((await failures.list()).map(({ id }) => id)).not.toContain('readable');
  await expect(executions.getWaitingCount()).resolves.toBe(1);
});
