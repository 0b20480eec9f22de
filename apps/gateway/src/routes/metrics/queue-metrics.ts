import { Queues, workersOfQueues } from '@fleet/contracts/queues';
import { CLOCK, reading, type Clock, type Reading } from '@fleet/ports';
import { JobProducer } from '@fleet/queue';
import { Inject, Injectable } from '@nestjs/common';

/** Jobs in the queues. */
@Injectable()
export class QueueMetrics {
  constructor(
    private readonly jobs: JobProducer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read(): Promise<readonly Reading[]> {
    const now = this.clock.now();
    const each = Object.values(Queues).map(async (queue) => {
      const { jobs, oldestMs } = await this.jobs.backlog(queue, now);
      const { waiting, prioritized, due, later, active } = jobs;
      return [
        reading('phenix_fleet_queue_jobs', { queue, state: 'waiting' }, waiting),
        reading('phenix_fleet_queue_jobs', { queue, state: 'prioritized' }, prioritized),
        reading('phenix_fleet_queue_jobs', { queue, state: 'due' }, due),
        reading('phenix_fleet_queue_jobs', { queue, state: 'later' }, later),
        reading('phenix_fleet_queue_jobs', { queue, state: 'active' }, active),
        reading(
          'phenix_fleet_worker_backlog',
          { worker: workersOfQueues[queue] },
          waiting + prioritized + due + active,
        ),
        reading('phenix_fleet_queue_oldest_seconds', { queue }, oldestMs / 1000),
      ];
    });
    return (await Promise.all(each)).flat();
  }
}
