import { Queues } from '@fleet/contracts/queues';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { rawJobOptions } from './raw-job-options';

/**
 * One stage of the raw chain: the same three queues and concurrencies, nothing but the queue library.
 * No record, no fence, no outbox: what dies takes its work along.
 */
const [, , stage = '', cycles = '1', concurrency = '1'] = process.argv;
const names = Object.values(Queues);
const queue = names.find((name) => name === stage);
if (queue === undefined) throw new Error(`there is no queue ${stage}`);
const next = names[(names.indexOf(queue) + 1) % names.length] ?? queue;

const url = process.env.REDIS_URL ?? '';
const redis = new Redis(url, { maxRetriesPerRequest: null });
const successor = new Queue(next, { connection: redis, prefix: 'raw' });

interface RawJob {
  readonly id: string;
  readonly cycle: number;
}

const worker = new Worker<RawJob>(
  queue,
  async ({ data: { id, cycle } }) => {
    const last = queue === Queues.analyses;
    if (last && cycle >= Number(cycles)) {
      await redis.incr('raw:done');
      return;
    }
    const to = last ? cycle + 1 : cycle;
    await successor.add(next, { id, cycle: to }, { jobId: `${id}-${next}-${String(to)}`, ...rawJobOptions(next) });
  },
  { connection: { url, maxRetriesPerRequest: null }, prefix: 'raw', concurrency: Number(concurrency) },
);
void worker.waitUntilReady().then(() => {
  process.stdout.write('raw stage is ready\n');
});
