import { Fault } from '@fleet/contracts/faults';

/**
 * Completes an event id to the form of the stream: `5` is `5-0`.
 * @throws Fault `event.bad_id` (caller), because the id comes from a client's Last-Event-ID
 */
export const parseEventId = (id: string): string => {
  const match = /^(\d{1,19})(?:-(\d{1,19}))?$/.exec(id);
  if (match === null)
    throw new Fault('event.bad_id', 'caller', 'this is not the id of an event', {
      problems: [{ field: 'afterId', reason: 'not the id of an event', allowed: '0, or the id of an event' }],
    });
  return `${match[1] ?? '0'}-${match[2] ?? '0'}`;
};

/** Compares two event ids. */
export const isAfter = (id: string, other: string): boolean => {
  const [time = 0n, number = 0n] = id.split('-').map(BigInt);
  const [otherTime = 0n, otherNumber = 0n] = other.split('-').map(BigInt);
  return time === otherTime ? number > otherNumber : time > otherTime;
};
