import { Queues, queuePolicies, type QueueName } from '@fleet/contracts/queues';
import { startRedis, type RedisServer } from '@fleet/testing';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { JobProducer } from './job-producer';

let server: RedisServer;
let redis: Redis;
let queues: Readonly<Record<QueueName, Queue>>;
let jobs: JobProducer;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: null });
  const queue = (name: QueueName): Queue => new Queue(name, { connection: redis, prefix: 'bq' });
  queues = { decisions: queue('decisions'), executions: queue('executions'), analyses: queue('analyses') };
  jobs = new JobProducer(queues.decisions, queues.executions, queues.analyses, queuePolicies);
});
afterAll(async () => {
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await redis.flushall();
});

const add = (jobId: string): Promise<void> =>
  jobs.add(Queues.decisions, 'decide', { version: 1, sessionId: 'x', sessionVersion: 1 }, jobId);
const stateOf = async (jobId: string): Promise<string> => (await jobs.lookUp(Queues.decisions, jobId)).state;
/** Number of times that Redis has searched a list for a job. */
const searches = async (): Promise<number> =>
  Number(/cmdstat_lpos:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);

/** A worker with its own connection, which ends with it. */
const workerThat = (does: () => Promise<void>): Worker =>
  new Worker('decisions', does, { connection: { port: server.port, maxRetriesPerRequest: null }, prefix: 'bq' });

/** Takes one job, which lasts until `end`. */
const takeOne = async (end: Promise<void>): Promise<Worker> => {
  const worker = workerThat(() => end);
  await new Promise((resolve) => worker.once('active', resolve));
  return worker;
};

describe('the backlog', () => {
  const none = { waiting: 0, prioritized: 0, due: 0, later: 0, active: 0 };

  it('counts the remaining jobs in all states of the library, and delayed ones separately', async () => {
    const { decisions } = queues;
    await add('waits');
    await decisions.add('decide', {}, { jobId: 'urgent', priority: 1 });
    await decisions.add('decide', {}, { jobId: 'soon', delay: 40 });
    await decisions.add('decide', {}, { jobId: 'later', delay: 60_000 });
    const backlog = await jobs.backlog(Queues.decisions, Date.now() + 60);
    expect(backlog.jobs).toEqual({ waiting: 1, prioritized: 1, due: 1, later: 1, active: 0 });
    expect(backlog.oldestMs).toBeGreaterThanOrEqual(60);
    await expect(jobs.backlog(Queues.analyses, Date.now())).resolves.toEqual({ jobs: none, oldestMs: 0 });
  });

  it('counts active jobs apart from waiting ones', async () => {
    await add('taken');
    let end = (): void => undefined;
    const worker = await takeOne(new Promise((resolve) => (end = resolve)));
    await expect(jobs.backlog(Queues.decisions, Date.now() + 20)).resolves.toEqual({
      jobs: { ...none, active: 1 },
      oldestMs: 0,
    });
    end();
    await worker.close();
  });
});

describe('the job look-up', () => {
  it('finds waiting jobs without searching the queue, however many there are', async () => {
    for (let index = 0; index < 50; index += 1) await add(`s-v1-w${String(index)}`);
    const before = await searches();
    for (let index = 0; index < 50; index += 1)
      await expect(stateOf(`s-v1-w${String(index)}`)).resolves.toBe('waiting');
    await expect(searches()).resolves.toBe(before);
    await expect(stateOf('never-added')).resolves.toBe('missing');
  });

  it('detects a job that is in no list, as soon as later ones are taken first', async () => {
    await add('lost');
    await redis.del('bq:decisions:wait');
    await expect(stateOf('lost')).resolves.toBe('missing');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await add('later');
    await expect(stateOf('lost')).resolves.toBe('missing');
    await expect(stateOf('later')).resolves.toBe('waiting');
  });

  it('finds an active job', async () => {
    await add('taken');
    let end = (): void => undefined;
    const worker = await takeOne(new Promise((resolve) => (end = resolve)));
    await expect(stateOf('taken')).resolves.toBe('active');
    end();
    await worker.close();
    await expect(stateOf('taken')).resolves.toBe('missing');
  });

  it('returns why a job failed', async () => {
    await queues.decisions.add('decide', {}, { jobId: 'failing' });
    const worker = workerThat(() => Promise.reject(new Error('no')));
    await new Promise((resolve) => worker.once('failed', resolve));
    await expect(jobs.lookUp(Queues.decisions, 'failing')).resolves.toEqual({ state: 'failed', failedReason: 'no' });
    await worker.close();
  });
});
