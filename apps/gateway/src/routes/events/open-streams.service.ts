import type { ServerResponse } from 'node:http';
import { METRICS, reading, unmeasured, type Metrics } from '@fleet/ports';
import { Inject, Injectable, Optional, type OnModuleDestroy } from '@nestjs/common';
import { AuditTrail } from '../../auth/audit/audit-trail';
import { ApiError } from '../../http/errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import type { HttpRequest } from '../../http/http-types';

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** A client should reconnect this many milliseconds after a lost connection. */
const retryMs = 1000;

/** All open event streams (Server-Sent Events) of this process, for one session and for many. */
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

  /** Ends streams before the server closes, which would wait for them for ever. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  /**
   * Also audits the opening: a stream bypasses the hook that audits other responses.
   * @throws ApiError `events.too_many_streams`
   */
  async admit(request: HttpRequest): Promise<void> {
    if (this.open >= this.options.maxEventStreams)
      throw new ApiError('events.too_many_streams', 'Too many event streams are open; try again, or poll the status.');
    await this.trail.finish(request, { status: 200 });
  }

  /**
   * Responds with a stream, for as long as `send` writes to it.
   * @param send must end when its signal is aborted, because the client has disconnected or the service stops; its
   *   result is written last
   */
  async serve(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    send: (stop: AbortSignal) => Promise<string | undefined>,
  ): Promise<void> {
    // The client may have disconnected while its session was looked up.
    if (response.destroyed) return;
    this.open += 1;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      response.writeHead(200, {
        ...headers,
        'content-type': eventStreamType,
        'cache-control': 'no-store',
        // A buffering proxy would delay the events.
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
