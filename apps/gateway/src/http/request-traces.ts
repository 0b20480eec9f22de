import { TRACING, untraced, type OpenSpan, type Tracing } from '@fleet/ports';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

type Server = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>;

const spans = new WeakMap<object, OpenSpan>();

/** Trace id of a request; undefined: it has no trace. */
export const traceIdOfRequest = (request: object): string | undefined => spans.get(request)?.traceId;

/** Routes of the API; frequent requests (health, files of the dashboard) would drown the rest. */
const isTraced = (address: string | undefined): address is string => /^\/(v1|api)\//.test(address ?? '');

/**
 * Creates a trace for each request to the API, and adds its id to the response. Created before the first route, so that
 * its hooks apply to each.
 */
@Injectable()
export class RequestTraces {
  constructor(
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    @Optional() @Inject(TRACING) tracing: Tracing = untraced,
  ) {
    if (tracing === untraced) return;
    const server = host.httpAdapter.getInstance<Server>();
    server.addHook('onRequest', (request, reply, done) => {
      const address = request.routeOptions.url;
      if (isTraced(address)) {
        const { traceparent } = request.headers;
        const facts = { method: request.method, address };
        const span = tracing.begin(
          { name: 'http.request', facts },
          typeof traceparent === 'string' ? traceparent : undefined,
        );
        spans.set(request, span);
        if (span.traceId !== undefined) reply.header('trace-id', span.traceId);
        // Also for a client that disconnects before the response.
        reply.raw.once('close', () => {
          span.note({ status: reply.statusCode });
          if (reply.statusCode >= 500) span.fail(String(reply.statusCode));
          span.end();
        });
      }
      done();
    });
    // After the body was read, whose events belong to the connection and not to the request.
    server.addHook('preValidation', (request, _reply, done) => {
      const span = spans.get(request);
      if (span === undefined) done();
      else span.within(done);
    });
  }
}
