import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { noteForAudit } from './audit-note';
import type { HttpReply, HttpRequest } from './http-types';
import { traceIdOfRequest } from './request-traces';
import { challengeOf } from './errors/challenge';
import {
  isApiError,
  isStorageError,
  isUnexpected,
  problemMediaType,
  toProblem,
  type ReachedLimit,
} from './errors/problem-details';

/** `Retry-After`, and the header of the rate limit draft (draft-ietf-httpapi-ratelimit-headers). */
const setLimitHeaders = ({ policy, perMinute, retryAfterS }: ReachedLimit, reply: HttpReply): void => {
  reply
    .header('retry-after', retryAfterS)
    .header('ratelimit-policy', `"${policy}";q=${String(perMinute)};w=60`)
    .header('ratelimit', `"${policy}";r=0;t=${String(retryAfterS)}`);
};

type Failed = Pick<HttpRequest, 'id' | 'method' | 'url'>;

/** Converts everything that is thrown into problem+json. All errors reach the client through it. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Gateway');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const problem = this.problemOf(error, request);
    noteForAudit(request, { code: problem.code });
    const reply = http.getResponse<HttpReply>();
    if (reply.sent) return;
    if (problem.status === 401) reply.header('www-authenticate', challengeOf(problem));
    if (problem.status === 503) reply.header('retry-after', 2);
    if (isApiError(error) && error.limit !== undefined) setLimitHeaders(error.limit, reply);
    reply.code(problem.status).header('content-type', problemMediaType).send(JSON.stringify(problem));
  }

  /** The client's problem details; if the service failed, the log has the cause under the request's id. */
  problemOf(error: unknown, request: Failed): ProblemDetails {
    const traceId = traceIdOfRequest(request);
    const problem = toProblem(error, { instance: request.url, requestId: request.id, traceId });
    if (problem.status >= 500) this.log(error, request, problem.code);
    return problem;
  }

  private log(error: unknown, { id, method, url }: Failed, code: string): void {
    const facts = { requestId: id, request: `${method} ${url}`, code };
    if (isUnexpected(error)) {
      const stack = error instanceof Error ? error.stack : String(error);
      this.logger.error({ message: 'a request failed', ...facts }, stack);
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    if (isStorageError(error)) this.logger.error({ message: 'a folder cannot be used', ...facts, reason });
    else this.logger.warn({ message: 'a request could not be answered', ...facts, reason });
  }
}
