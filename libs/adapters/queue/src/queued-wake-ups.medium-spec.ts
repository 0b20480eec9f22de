import { setTimeout as pause } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { QueuedWakeUps } from './queued-wake-ups';

const sessionId = '01jd7v9s6m2x4k8q0w5c3b1n7r';
const payload = { version: 1, sessionId, sessionVersion: 4 };
const first = { order: 'oldest', offset: 0, limit: 50 } as const;

let server: RedisServer;
let redis: Redis;
let queues: readonly [Queue, Queue, Queue];
let wakeUps: QueuedWakeUps;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: null });
  const queue = (name: string): Queue => new Queue(name, { connection: redis, prefix: 'bq' });
  queues = [queue('decisions'), queue('executions'), queue('analyses')];
  wakeUps = new QueuedWakeUps(...queues);
});
afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.close()));
  redis.disconnect();
  await server.stop();
});

it('are listed by queue and state, in both orders, with their errors', async () => {
  const [, executions] = queues;
  await executions.add('execute', payload, { jobId: 'dies', attempts: 5 });
  const worker = new Worker('executions', () => Promise.reject(new UnrecoverableError('file.gone: no')), {
    connection: { port: server.port, maxRetriesPerRequest: null },
    prefix: 'bq',
  });
  while ((await executions.getFailedCount()) < 1) await pause(20);
  await worker.close();
  await executions.add('execute', payload, { jobId: 'one', timestamp: 1000 });
  await executions.add('execute', { version: 9 }, { jobId: 'two', timestamp: 2000 });
  await executions.add('cancel', payload, { jobId: 'later', timestamp: Date.now(), delay: 60_000 });
  const states = await wakeUps.states();
  expect(states.map(({ name, jobs: { waiting } }) => [name, waiting])).toEqual([
    ['decisions', 0],
    ['executions', 2],
    ['analyses', 0],
  ]);
  const jobs = { active: 0, waiting: 2, delayed: 1, failed: 1 };
  expect(states[1]).toEqual({ name: 'executions', isPaused: false, jobs, oldestWaitingAt: 1000 });
  const ids = async (order: 'oldest' | 'newest', offset = 0) =>
    (await wakeUps.list('executions', 'waiting', { order, offset, limit: 1 })).map(({ id }) => id);
  expect([await ids('oldest'), await ids('oldest', 1), await ids('newest')]).toEqual([['one'], ['two'], ['two']]);
  const [dead] = await wakeUps.list('executions', 'failed', first);
  expect(dead).toMatchObject({ id: 'dies', of: { sessionVersion: 4 }, payload, tries: 1, mostTries: 5 });
  expect(dead?.reason).toBe('file.gone: no');
  expect(dead?.stack[0]).toContain('file.gone: no');
  expect(await wakeUps.find('executions', 'two')).toMatchObject({ place: 'waiting', payload: { version: 9 } });
  expect(await wakeUps.find('executions', 'two')).not.toHaveProperty('of');
});

it('begin now if they are delayed, and are unchanged otherwise', async () => {
  const [later] = await wakeUps.list('executions', 'delayed', first);
  expect((later?.beginsAt ?? 0) - Date.now()).toBeGreaterThan(30_000);
  expect(await wakeUps.hasten('executions', 'later')).toBe(true);
  expect(await wakeUps.find('executions', 'later')).toMatchObject({ place: 'waiting', job: 'cancel' });
  for (const id of ['later', 'dies', 'never was']) expect(await wakeUps.hasten('executions', id)).toBe(false);
  expect(await wakeUps.find('executions', 'never was')).toBeUndefined();
});

it('show whether a queue is paused', async () => {
  await queues[2].pause();
  expect((await wakeUps.states())[2]).toMatchObject({ name: 'analyses', isPaused: true });
  await queues[2].resume();
});
