import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { isEnded, type StoredEvent } from '@fleet/contracts/sessions';
import { SESSION_EVENTS, SESSION_RECORDS, type SessionEvents, type SessionRecords } from '@fleet/ports';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { EventTails } from './event-tails';
import { OpenStreams } from './open-streams.service';
import { untilAborted } from '../../http/until-aborted';

/** Milliseconds between two tries while the store is unreachable. */
const storeRetryMs = 1000;

const frame = (event: StoredEvent): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;

/** Sent last, so that a browser does not reconnect. */
const farewell = 'event: end\ndata: {}\n\n';

/** What a client subscribes to. */
export interface Listening {
  readonly sessionId: string;
  /** Only events after this one. */
  readonly afterId: string;
  /** Whether the client still has access: a key may be revoked or expire while its streams are open. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** Event streams of single sessions. */
@Injectable()
export class EventStreams {
  private readonly logger = new Logger('EventStreams');
  private readonly tails: EventTails;

  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(SESSION_EVENTS) private readonly events: SessionEvents,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    private readonly streams: OpenStreams,
  ) {
    this.tails = new EventTails(events, options.heartbeatMs);
  }

  /**
   * Sends events after `afterId` until the session has ended, the client has disconnected or lost access, or the
   * service stops.
   */
  async run(
    { sessionId, afterId, mayGoOn }: Listening,
    response: ServerResponse,
    headers: Record<string, string>,
  ): Promise<void> {
    const shut = new AbortController();
    const recheck = setInterval(() => {
      void mayGoOn().then((may) => {
        if (!may) shut.abort();
      });
    }, this.options.heartbeatMs);
    try {
      await this.streams.serve(response, headers, async (stopping) => {
        const stop = AbortSignal.any([stopping, shut.signal]);
        return (await this.pump(sessionId, afterId, response, stop)) ? farewell : undefined;
      });
    } finally {
      clearInterval(recheck);
    }
  }

  /** @returns true if the session has ended and all of it was sent */
  private async pump(id: string, afterId: string, response: ServerResponse, stop: AbortSignal): Promise<boolean> {
    let after = afterId;
    while (!stop.aborted) {
      const batch = await this.nextBatch(id, after, stop);
      if (batch === undefined) continue;
      const last = batch.at(-1);
      const flowing = response.write(last === undefined ? ': waiting\n\n' : batch.map(frame).join(''));
      after = last?.id ?? after;
      if ((last === undefined || last.type === 'session_ended') && (await this.isOver(id, after, stop))) return true;
      // Waits for a slow reader: otherwise its events would pile up in memory.
      if (!flowing) await untilAborted(once(response, 'drain', { signal: stop }), stop);
    }
    return false;
  }

  /** Undefined if the store is unreachable, or the stream must stop. */
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

  /**
   * Whether the session has ended, without events after that one: it may have ended just now, or been resumed since.
   */
  private async isOver(id: string, after: string, stop: AbortSignal): Promise<boolean> {
    try {
      const head = await this.records.loadHead(id);
      if (head !== undefined && !isEnded(head.status)) return false;
      return (await this.events.after(id, after, 1)).length === 0;
    } catch (error) {
      if (!stop.aborted)
        this.logger.warn(`${id} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
}
