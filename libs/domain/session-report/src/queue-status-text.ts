import type { QueueStatus } from '@fleet/contracts/launches';
import { durationText } from './duration-text';

/**
 * The queue status of a program that waits for a slot, in one sentence without a full stop.
 * @param now milliseconds since the epoch
 */
export const queueStatusText = (queueStatus: QueueStatus, now: number): string => {
  const { reason, position, of, oldestSince, estimatedStart } = queueStatus;
  const oldest = durationText(Math.max(0, now - Date.parse(oldestSince)));
  const start =
    estimatedStart === undefined
      ? ''
      : `; at this pace it starts in about ${durationText(Math.max(0, Date.parse(estimatedStart) - now))}`;
  return `${reason}: number ${String(position)} of ${String(of)} in the queue, the oldest for ${oldest}${start}`;
};
