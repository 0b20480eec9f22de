import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { NestApplicationContextOptions } from '@nestjs/common/interfaces/nest-application-context-options.interface.js';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { chunkType } from '@fleet/contracts/uploads';
import { auditHook } from './auth/audit/audit-hook';
import { AuditTrail } from './auth/audit/audit-trail';
import { formatOfManifest, ManifestBody } from './http/manifest-body';
import { serveDashboard, type DashboardPlace } from './routes/dashboard/serve-dashboard';
import { answerClientError } from './http/errors/client-error';
import { ProblemFilter } from './http/problem.filter';
import { problemMediaType } from './http/errors/problem-details';
import { ArrivingBodyGuard, type ArrivingBody } from './http/arriving-body';
import type { HttpReply, HttpRequest } from './http/http-types';
import { foreignHost, knownHosts } from './http/known-hosts';
import { ForeignPageGuard } from './http/foreign-page.guard';
import { documentationPolicy, securityHeaders } from './http/security-headers';
import { NestingGuard } from './http/nesting.guard';
import { UnreadInputGuard } from './http/unread-input.guard';
import { describeApi } from './http/openapi/describe-api';
import { ChunkBody } from './http/chunk-body';

export interface GatewayServer {
  readonly maxBodyBytes: number;
  readonly logger: LoggerService | false;
  /** Milliseconds that requests under way get to finish when the service stops. */
  readonly drainMs: number;
  /** Milliseconds before, in which the end of kept connections is announced to clients; none: 0. */
  readonly farewellMs?: number;
  /** Names that clients may call the gateway by, beside its addresses, localhost and the machine's own name. */
  readonly names?: readonly string[];
  /** Addresses and networks of proxies that are believed when they say for whom they ask. */
  readonly trustedProxies?: readonly string[];
  /** Absent: nothing is at its addresses. */
  readonly dashboard?: DashboardPlace;
}

type RawReply = Pick<HttpReply, 'raw'> & { hijack(): unknown };

/** A caller's own id is kept where it is harmless in a log line. */
const requestId = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
};

/** Longest path parameter in characters: a file name may have 255 bytes, each written as three. */
const longestParameter = 4096;

/** Milliseconds in which a whole request arrives; the framework's own default is to wait for ever. */
const requestTimeoutMs = 120_000;

/**
 * Idle connections are closed once when a server closes; those that become idle afterwards would keep it waiting for their
 * timeout, and so would those on which nothing was ever asked (browsers open some in advance).
 */
const closeConnectionsAsTheyFinish = (server: Server, drainMs: number): void => {
  const finished = setInterval(() => {
    server.closeIdleConnections();
  }, 50);
  const late = setTimeout(() => {
    server.closeAllConnections();
  }, drainMs);
  server.once('close', () => {
    clearInterval(finished);
    clearTimeout(late);
  });
};

/**
 * A connection that is closed while its next request is on the way looks like a fault to the client. While the server still listens,
 * Fastify says with each answer that it was the last one of its connection; so for a moment nothing is closed.
 */
const sayFarewell = async (server: Server, farewellMs: number): Promise<void> => {
  const connections = promisify(server.getConnections.bind(server));
  const end = performance.now() + farewellMs;
  while (performance.now() < end && (await connections()) > 0) await sleep(50);
};

const addHooks = (
  app: NestFastifyApplication,
  { drainMs, farewellMs = 0, names = [] }: GatewayServer,
  filter: ProblemFilter,
): void => {
  const isKnown = knownHosts(names);
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeContentTypeParser('text/plain');
  const readArriving = (type: string, bodyOf: (bytes: Readable) => ArrivingBody): void => {
    fastify.addContentTypeParser(
      type,
      (_request: unknown, bytes: Readable, done: (error: null, body: unknown) => void) => {
        done(null, bodyOf(bytes));
      },
    );
  };
  for (const [type, format] of Object.entries(formatOfManifest))
    readArriving(type, (bytes) => new ManifestBody(bytes, format));
  readArriving(chunkType, (bytes) => new ChunkBody(bytes));
  fastify.addHook('onSend', auditHook(app.get(AuditTrail), filter));
  fastify.addHook('preClose', async () => {
    const connections: Server = app.getHttpServer();
    await sayFarewell(connections, farewellMs);
    closeConnectionsAsTheyFinish(connections, drainMs);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id);
    if (request.url === '/docs' || request.url.startsWith('/docs/')) {
      reply.header('content-security-policy', documentationPolicy);
    }
    // Here and not in a guard, which the documentation and what is not found never meet. Browsers always say whom they ask.
    const { host } = request.headers;
    if (host === undefined || isKnown(host)) {
      done();
      return;
    }
    const problem = filter.problemOf(foreignHost(host), request);
    void reply.code(problem.status).header('content-type', problemMediaType).send(JSON.stringify(problem));
  });
};

/** Without any the framework gets no setting, and reads no header. */
const trusting = ({ trustedProxies = [] }: GatewayServer): { readonly trustProxy?: string[] } =>
  trustedProxies.length === 0 ? {} : { trustProxy: [...trustedProxies] };

/** Makes the HTTP application around a module; it listens to nothing yet. */
export const createGateway = async (
  module: DynamicModule | Type,
  server: GatewayServer,
): Promise<NestFastifyApplication> => {
  const filter = new ProblemFilter();
  const adapter = new FastifyAdapter({
    bodyLimit: server.maxBodyBytes,
    routerOptions: { maxParamLength: longestParameter },
    genReqId: requestId,
    ...trusting(server),
    // Connections that wait for a next request are closed at the end; those with a request are let finish.
    forceCloseConnections: 'idle',
    // What still comes in on a connection that is kept is answered, and is its last request.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    requestTimeout: requestTimeoutMs,
    // An address that cannot be read never reaches Nest's filters.
    frameworkErrors: (error: Error, request: Pick<HttpRequest, 'id' | 'method' | 'url'>, reply: RawReply) => {
      const problem = filter.problemOf(error, request);
      reply.hijack();
      const headers = { ...securityHeaders, 'x-request-id': problem.requestId, 'content-type': problemMediaType };
      reply.raw.writeHead(problem.status, headers);
      reply.raw.end(JSON.stringify(problem));
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    module,
    adapter,
    Object.assign(new NestApplicationContextOptions(), {
      logger: server.logger,
      abortOnError: false,
      // Fastify's own parser of JSON, and manifests: forms and plain text, which a foreign web page may send, are refused.
      bodyParser: false,
    }),
  );
  app.useGlobalFilters(filter);
  app.useGlobalGuards(new ForeignPageGuard(), new ArrivingBodyGuard(), new NestingGuard(), new UnreadInputGuard());
  addHooks(app, server, filter);
  describeApi(app);
  if (server.dashboard !== undefined) await serveDashboard(app, server.dashboard, filter);
  return app;
};
