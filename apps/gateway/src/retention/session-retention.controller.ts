import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { pinWishSchema, type SessionRetention } from '@fleet/contracts';
import { doneBy, principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { noteForAudit } from '../audit/audit-note';
import type { HttpRequest } from '../http/http-types';
import { PinDocs, SessionRetentionDocs, UnpinDocs } from '../openapi/retention-docs';
import { refuseProblems } from '../session-tools/reopen-session';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { Retention } from './retention.service';

/** How long one session is kept. */
@Controller('v1/sessions/:id')
export class SessionRetentionController {
  constructor(@Inject(Retention) private readonly retention: Retention) {}

  @Get('retention')
  @Requires('session.read')
  @SessionRetentionDocs()
  read(@Param('id', SessionIdPipe) id: string): Promise<SessionRetention> {
    return this.retention.of(id);
  }

  @Post('pin')
  @Requires('session.change')
  @HttpCode(200)
  @PinDocs()
  async pin(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
  ): Promise<SessionRetention> {
    const problems = new ProblemList();
    const { reason = '', by = '' } = readBody(pinWishSchema, body, problems);
    refuseProblems(problems);
    const before = await this.retention.of(id);
    const after = await this.retention.pin(id, { reason, by: doneBy(principalOf(request), by) });
    noteForAudit(request, { object: `session ${id}`, before: inShort(before), after: inShort(after) });
    return after;
  }

  @Post('unpin')
  @Requires('session.change')
  @HttpCode(200)
  @UnpinDocs()
  async unpin(@Param('id', SessionIdPipe) id: string, @Req() request: HttpRequest): Promise<SessionRetention> {
    const before = await this.retention.of(id);
    const after = await this.retention.unpin(id);
    noteForAudit(request, { object: `session ${id}`, before: inShort(before), after: inShort(after) });
    return after;
  }
}

const inShort = ({ pin }: SessionRetention): Record<string, unknown> => ({ pinned: pin !== undefined, ...pin });
