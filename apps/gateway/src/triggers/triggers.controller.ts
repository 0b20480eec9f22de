import { Body, Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { denialOf } from '@fleet/access';
import { sessionPath, toSessionView } from '@fleet/api-views';
import type { SessionView } from '@fleet/contracts';
import { denied } from '../access/denied';
import { RequestLimiter } from '../access/request-limiter';
import { RequiresSignature } from '../access/requires.decorator';
import { noteForAudit } from '../audit/audit-note';
import { AuditTrail } from '../audit/audit-trail';
import { entityTagOf } from '../http/entity-tag';
import type { HttpReply, HttpRequest } from '../http/http-types';
import { TriggerDocs } from '../openapi/trigger-docs';
import { readySubmission, startSubmission, SUBMISSION_RULES, type SubmissionRules } from '../submission/submit-session';
import { SignedRequests } from './signed-requests.service';

/** Submissions of programs that sign what they send, and send no key: the acquisition of a beamline (docs/acquisition.md). */
@Controller('v1/triggers')
export class TriggersController {
  constructor(
    @Inject(SUBMISSION_RULES) private readonly rules: SubmissionRules,
    private readonly signed: SignedRequests,
    private readonly limiter: RequestLimiter,
    private readonly trail: AuditTrail,
  ) {}

  /** Sent again with the same `webhook-id`, it is the same session. */
  @Post(':key')
  @RequiresSignature()
  @TriggerDocs()
  async submit(
    @Param('key') key: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    noteForAudit(request, { action: 'session.submit' });
    const { principal, message } = await this.signed.known(key, request);
    await this.limiter.admit(principal.id, 'session.submit');
    const denial = denialOf(principal, 'session.submit');
    if (denial !== undefined) throw denied(principal, 'session.submit', denial);
    await this.trail.begin(request);
    // No header can hold a blank, so that no client can name this key.
    const idempotencyKey = `trigger ${message.id}`;
    const { session, replayed } = await startSubmission(
      await readySubmission(body, idempotencyKey, this.rules, principal),
    );
    const { proposal, submitter } = session.request;
    noteForAudit(request, { object: `session ${session.id}`, after: { proposal, submitter, replayed } });
    reply.header('location', sessionPath(session.id)).header('etag', entityTagOf(session));
    if (replayed) reply.header('idempotency-replayed', 'true');
    return toSessionView(session);
  }
}
