import type { Writable } from 'node:stream';

/** The part of a Redis client that is used here. */
interface Connection {
  readonly status: string;
  readonly stream: Pick<Writable, 'cork' | 'uncork' | 'writableCorked'>;
}

/**
 * Call it before a command: commands of the same turn of the event loop are sent in one write. Measured with 50 steps
 * at once: a tenth less processor time for the worker, a twentieth for Redis; no effect on an idle worker. The client's
 * own pipelining gains this only with large groups, and delays a command while another group is in progress.
 */
export const gatherWrites = ({ status, stream }: Connection): void => {
  // Before it is ready there may be no stream yet; its commands wait in the client's own queue.
  if (status !== 'ready' || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
};
