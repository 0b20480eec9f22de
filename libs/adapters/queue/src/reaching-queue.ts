import { Fault } from '@fleet/contracts/faults';
import type { QueueName } from '@fleet/contracts/queues';

/** @throws Fault `queue.unreachable` (transient) for any error of the call */
export const reaching = async <T>(queue: QueueName, act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('queue.unreachable', 'transient', `queue ${queue} is unreachable: ${why}`, { cause });
  }
};
