import { Readable } from 'node:stream';
import { problemMediaType } from '../../http/errors/problem-details';
import type { ProblemFilter } from '../../http/problem.filter';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import type { AuditTrail } from './audit-trail';
import type { AuditedAnswer } from './audited-reads';

type Request = Pick<HttpRequest, 'id' | 'method' | 'url' | 'ip' | 'socket'>;
interface Reply extends Pick<HttpReply, 'getHeaders'> {
  readonly statusCode: number;
  code(status: number): unknown;
  header(name: string, value: string | number): unknown;
  removeHeader(name: string): unknown;
}

/** Headers of a download that an error response must not have. */
const ofDownload = /^(content-(length|range|disposition)|accept-ranges|etag|x-log-.*)$/;

const bytesOf = (length: unknown, payload: unknown): number | undefined => {
  if (length !== undefined) return Number(length);
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : undefined;
};

const answerOf = (reply: Reply, payload: unknown): AuditedAnswer => {
  const headers = reply.getHeaders();
  return {
    status: reply.statusCode,
    bytes: bytesOf(headers['content-length'], payload),
    isPart: reply.statusCode === 206 || headers['x-log-offset'] !== undefined,
  };
};

/**
 * Writes the end of a request into the audit log before its response is sent; returns the response, or the error that
 * replaces a download.
 */
export const auditHook =
  (trail: AuditTrail, filter: ProblemFilter) =>
  async (request: Request, reply: Reply, payload: unknown): Promise<unknown> => {
    if (!trail.concerns(request, reply.statusCode)) return payload;
    try {
      await trail.finish(request, answerOf(reply, payload));
      return payload;
    } catch (error) {
      if (payload instanceof Readable) payload.destroy();
      const problem = filter.problemOf(error, request);
      for (const name of Object.keys(reply.getHeaders())) if (ofDownload.test(name)) reply.removeHeader(name);
      reply.code(problem.status);
      reply.header('content-type', problemMediaType);
      reply.header('retry-after', 2);
      return JSON.stringify(problem);
    }
  };
