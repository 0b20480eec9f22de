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
import { serveDashboard, type DashboardBuild } from './routes/dashboard/serve-dashboard';
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
  /** How long requests in progress may take after a stop request, in milliseconds. */
  readonly drainMs: number;
  /** Time before that, in which clients receive a request to close idle connections, in milliseconds; none: 0. */
  readonly farewellMs?: number;
  /** Host names of the gateway, in addition to IP addresses, localhost and the machine's own name. */
  readonly names?: readonly string[];
  /** IP addresses and networks of trusted proxies, whose forwarding headers are used. */
  readonly trustedProxies?: readonly string[];
  /** Absent: the dashboard is not served. */
  readonly dashboard?: DashboardBuild;
}

type RawReply = Pick<HttpReply, 'raw'> & { hijack(): unknown };

/** A caller's own id is used if it is safe in a log line. */
const requestId = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
};

/** Longest path parameter in characters: a file name may have 255 bytes, each encoded as three. */
const longestParameter = 4096;

/** Timeout for the arrival of a whole request, in milliseconds; the framework's default is unlimited. */
const requestTimeoutMs = 120_000;

/**
 * Idle connections are closed once when a server closes. Those that become idle afterwards would delay it until their
 * timeout, and so would connections without any request (browsers open some in advance).
 */
const closeConnectionsAsTheyFinish = (server: Server, drainMs: number): void => {
  const finished = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), drainMs);
  server.once('close', () => {
    clearInterval(finished);
    clearTimeout(late);
  });
};

/**
 * Closing a connection while its next request is on the way looks like a failure to the client. While the server still
 * listens, Fastify marks each response as the last one of its connection, so closing is delayed for a moment.
 */
const announceClosing = async (server: Server, farewellMs: number): Promise<void> => {
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
  const readArriving = (type: string, bodyOf: (bytes: Readable) => ArrivingBody): void =>
    fastify.addContentTypeParser(
      type,
      (_request: unknown, bytes: Readable, done: (error: null, body: unknown) => void) => done(null, bodyOf(bytes)),
    );
  for (const [type, format] of Object.entries(formatOfManifest))
    readArriving(type, (bytes) => new ManifestBody(bytes, format));
  readArriving(chunkType, (bytes) => new ChunkBody(bytes));
  fastify.addHook('onSend', auditHook(app.get(AuditTrail), filter));
  fastify.addHook('preClose', async () => {
    const connections: Server = app.getHttpServer();
    await announceClosing(connections, farewellMs);
    closeConnectionsAsTheyFinish(connections, drainMs);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id);
    if (request.url === '/docs' || request.url.startsWith('/docs/')) {
      reply.header('content-security-policy', documentationPolicy);
    }
    // Not in a guard, because the documentation and unknown URLs bypass guards. Browsers always send the host.
    const { host } = request.headers;
    if (host === undefined || isKnown(host)) {
      done();
      return;
    }
    const problem = filter.problemOf(foreignHost(host), request);
    void reply.code(problem.status).header('content-type', problemMediaType).send(JSON.stringify(problem));
  });
};

/** Without trusted proxies the framework reads no forwarding header. */
const trusting = ({ trustedProxies = [] }: GatewayServer): { readonly trustProxy?: string[] } =>
  trustedProxies.length === 0 ? {} : { trustProxy: [...trustedProxies] };

/** Creates the HTTP application of a module; it does not listen yet. */
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
    // Idle connections are closed at the end; those with a request may finish.
    forceCloseConnections: 'idle',
    // A request on a kept-alive connection is still answered, as its last one.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    requestTimeout: requestTimeoutMs,
    // An invalid URL never reaches Nest's filters.
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
      // Only JSON and manifests are parsed: forms and plain text, which a foreign web page may send, are rejected.
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
