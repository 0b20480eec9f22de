import { METRICS, type Metrics } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

type Server = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>;
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** Counts requests by the pattern of their route. Created before the first route, so that its hook applies to each. */
@Injectable()
export class RequestMeter {
  constructor(
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {
    const server = host.httpAdapter.getInstance<Server>();
    server.addHook('onRoute', ({ url }) => metrics.declare('route', [url]));
    server.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      this.answered(routeOptions.url ?? 'none', method, reply.statusCode, reply.elapsedTime / 1000);
      done();
    });
  }

  /** Unknown methods and routes count as `other` and `none`. */
  private answered(route: string, method: string, status: number, seconds: number): void {
    const of = { route, method: method as Method };
    this.metrics.count('phenix_fleet_http_requests_total', { ...of, code: String(status) });
    this.metrics.observe('phenix_fleet_http_request_seconds', of, seconds);
  }
}
