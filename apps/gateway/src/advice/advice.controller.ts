import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Put, Req, Res } from '@nestjs/common';
import { toSessionView } from '@fleet/api-views';
import { guidanceOf, readingWishSchema, type AdviceReading, type Guidance, type SessionView } from '@fleet/contracts';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { noteForAudit } from '../audit/audit-note';
import type { HttpReply, HttpRequest } from '../http/http-types';
import { AdviceDocs, ChangeAdviceDocs, ReadingDocs } from '../openapi/advice-docs';
import { findSession } from '../sessions/session-lookup';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { refuseProblems, SESSION_TOOLS, type SessionTools } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { changeAdvice, guidanceTag } from './change-advice';

/** What is asked for in plain words: read without a session, and of a session. */
@Controller('v1')
export class AdviceController {
  constructor(@Inject(SESSION_TOOLS) private readonly tools: SessionTools) {}

  @Post('advice/readings')
  @Requires('decision.make')
  @HttpCode(200)
  @ReadingDocs()
  read(@Body() body: unknown): AdviceReading {
    const problems = new ProblemList();
    const { advice = '', experiment } = readBody(readingWishSchema, body, problems);
    refuseProblems(problems);
    return this.tools.knowledge.readAdvice(advice, experiment);
  }

  @Get('sessions/:id/advice')
  @Requires('session.read')
  @AdviceDocs()
  async guidance(
    @Param('id', SessionIdPipe) id: string,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<Guidance> {
    const guidance = guidanceOf(await findSession(this.tools.records, id));
    reply.header('etag', guidanceTag(guidance)).header('cache-control', 'no-cache');
    return guidance;
  }

  @Put('sessions/:id/advice')
  @Requires('session.change')
  @ChangeAdviceDocs()
  async change(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    const session = await changeAdvice(this.tools, id, body, { ifMatch, principal: principalOf(request) });
    const guidance = guidanceOf(session);
    noteForAudit(request, { object: `session ${session.id}`, after: { revision: guidance.revision } });
    reply.header('etag', guidanceTag(guidance));
    return toSessionView(session);
  }
}
