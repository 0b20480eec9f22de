import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { isEnded, type StoredEvent } from '@fleet/contracts';
import { SESSION_EVENTS, SESSION_RECORDS, type SessionEvents, type SessionRecords } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import { EventTails } from './event-tails';

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** A client is told to come back this many milliseconds after it lost us. */
const retryMs = 1000;
/** Milliseconds between two tries while the store cannot be reached. */
const storeRetryMs = 1000;

const frame = (event: StoredEvent): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;

/** Sent last, so that a browser knows not to come back. */
const farewell = 'event: end\ndata: {}\n\n';

/** What a client wants to hear of. */
export interface Listening {
  readonly sessionId: string;
  /** Only events after this one. */
  readonly afterId: string;
  /** Whether they still may: a key is revoked or expires while its streams are open. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** The open event streams (Server-Sent Events) of this process. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly logger = new Logger('EventStreams');
  private readonly closing = new AbortController();
  private readonly tails: EventTails;
  private open = 0;

  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(SESSION_EVENTS) private readonly events: SessionEvents,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {
    this.tails = new EventTails(events, options.heartbeatMs);
  }

  /** Streams end before the server closes: it would wait for them for ever. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  /** @throws ApiError `events.too_many_streams` */
  admit(): void {
    if (this.open < this.options.maxEventStreams) return;
    throw new ApiError('events.too_many_streams', 'Too many event streams are open; ask again, or poll the status.');
  }

  /** Sends events after `afterId` until the session has ended, the client has gone or may not listen any more, or the service stops. */
  async run(
    { sessionId, afterId, mayGoOn }: Listening,
    response: ServerResponse,
    headers: Record<string, string>,
  ): Promise<void> {
    // The client may have left while its session was looked up.
    if (response.destroyed) return;
    this.open += 1;
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    const stop = AbortSignal.any([gone.signal, this.closing.signal]);
    const door = setInterval(() => {
      void mayGoOn().then((may) => {
        if (!may) gone.abort();
      });
    }, this.options.heartbeatMs);
    try {
      response.writeHead(200, {
        ...headers,
        'content-type': eventStreamType,
        'cache-control': 'no-store',
        // A proxy that collects the answer would hold the events back.
        'x-accel-buffering': 'no',
      });
      response.write(`retry: ${String(retryMs)}\n\n`);
      if (await this.pump(sessionId, afterId, response, stop)) response.write(farewell);
    } finally {
      clearInterval(door);
      this.open -= 1;
      response.end();
    }
  }

  /** @returns true when the session has ended and all of it was sent */
  private async pump(id: string, afterId: string, response: ServerResponse, stop: AbortSignal): Promise<boolean> {
    let after = afterId;
    while (!stop.aborted) {
      const batch = await this.nextBatch(id, after, stop);
      if (batch === undefined) continue;
      if (batch.length === 0) {
        response.write(': waiting\n\n');
        if (await this.hasEnded(id, stop)) return true;
        continue;
      }
      const flowing = response.write(batch.map(frame).join(''));
      after = batch.at(-1)?.id ?? after;
      if (await this.isLast(batch, id, stop)) return true;
      // A slow reader is waited for, or its events would pile up in memory.
      if (!flowing) await untilAborted(once(response, 'drain', { signal: stop }), stop);
    }
    return false;
  }

  /** Undefined when the store could not be asked, or the stream is to stop. */
  private async nextBatch(id: string, after: string, stop: AbortSignal): Promise<readonly StoredEvent[] | undefined> {
    try {
      const known = await this.events.after(id, after, this.options.eventBatch);
      return known.length > 0 ? known : await untilAborted(this.tails.next(id, after), stop);
    } catch (error) {
      if (stop.aborted) return undefined;
      this.logger.warn(`events of ${id} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      await untilAborted(pause(storeRetryMs, undefined, { signal: stop }), stop);
      return undefined;
    }
  }

  /** The end of a session is its last event, unless it was resumed since. */
  private async isLast(batch: readonly StoredEvent[], id: string, stop: AbortSignal): Promise<boolean> {
    return batch.at(-1)?.type === 'session_ended' && (await this.hasEnded(id, stop));
  }

  private async hasEnded(id: string, stop: AbortSignal): Promise<boolean> {
    try {
      const head = await this.records.loadHead(id);
      return head === undefined || isEnded(head.status);
    } catch (error) {
      if (!stop.aborted)
        this.logger.warn(`${id} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
}

/** The promise's value, or undefined as soon as `stop` is aborted; the promise itself is left alone. */
const untilAborted = async <T>(promise: Promise<T>, stop: AbortSignal): Promise<T | undefined> => {
  let onAbort = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = (): void => {
      resolve(undefined);
    };
    if (stop.aborted) onAbort();
    else stop.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
};
