import type { Writable } from 'node:stream';

/** What is needed of a Redis client. */
interface Connection {
  readonly status: string;
  readonly stream: Pick<Writable, 'cork' | 'uncork' | 'writableCorked'>;
}

/**
 * Call it before a command: commands of the same turn of the event loop leave in one write. Measured with 50 steps at once: a tenth
 * less processor time for the worker, a twentieth for Redis; an idle worker notices nothing. The client's own pipelining gains this
 * only with large groups, and holds a command back while another group is under way.
 */
export const gatherWrites = ({ status, stream }: Connection): void => {
  // Before it is ready there may be no stream yet; its commands wait in the client's own queue.
  if (status !== 'ready' || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => {
    stream.uncork();
  });
};
