import type { ServerResponse } from 'node:http';
import { METRICS, reading, unmeasured, type Metrics } from '@fleet/ports';
import { Inject, Injectable, Optional, type OnModuleDestroy } from '@nestjs/common';
import { AuditTrail } from '../../auth/audit/audit-trail';
import { ApiError } from '../../http/errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import type { HttpRequest } from '../../http/http-types';

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** A client is told to come back this many milliseconds after it lost us. */
const retryMs = 1000;

/** All open event streams (Server-Sent Events) of this process, of one session and of many. */
@Injectable()
export class OpenStreams implements OnModuleDestroy {
  private readonly closing = new AbortController();
  private open = 0;

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Inject(AuditTrail) private readonly trail: Pick<AuditTrail, 'finish'>,
    @Optional() @Inject(METRICS) metrics: Metrics = unmeasured,
  ) {
    metrics.onRead(() => Promise.resolve([reading('phenix_fleet_event_streams', {}, this.open)]));
  }

  /** Streams end before the server closes: it would wait for them for ever. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  /**
   * Audits the opening as well: a stream never passes the hook that audits other answers.
   * @throws ApiError `events.too_many_streams`
   */
  async admit(request: HttpRequest): Promise<void> {
    if (this.open >= this.options.maxEventStreams)
      throw new ApiError('events.too_many_streams', 'Too many event streams are open; ask again, or poll the status.');
    await this.trail.finish(request, { status: 200 });
  }

  /**
   * Answers with a stream, for as long as `send` writes to it.
   * @param send is to end when its signal is aborted, for the client has gone or the service stops; what it gives is written last
   */
  async serve(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    send: (stop: AbortSignal) => Promise<string | undefined>,
  ): Promise<void> {
    // The client may have left while its session was looked up.
    if (response.destroyed) return;
    this.open += 1;
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    try {
      response.writeHead(200, {
        ...headers,
        'content-type': eventStreamType,
        'cache-control': 'no-store',
        // A proxy that collects the answer would hold the events back.
        'x-accel-buffering': 'no',
      });
      response.write(`retry: ${String(retryMs)}\n\n`);
      const last = await send(AbortSignal.any([gone.signal, this.closing.signal]));
      if (last !== undefined) response.write(last);
    } finally {
      this.open -= 1;
      response.end();
    }
  }
}
