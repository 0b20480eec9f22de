import { Queues, type QueueName } from '@fleet/contracts/queues';
import { runWorker } from '@fleet/observability';
import type { IdleWork } from './idle-stages';
import { IdleWorkerModule } from './idle-worker.module';

/** Arguments: the queue's name, and the work as JSON. */
const [, , name = '', work = '{}'] = process.argv;
const queue = Object.values(Queues).find((known): known is QueueName => known === name);
if (queue === undefined) throw new Error(`there is no queue ${name}`);
void runWorker(`idle-${name}`, IdleWorkerModule.forQueue(queue, JSON.parse(work) as IdleWork));
