import { Controller, Headers, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { toEventsView } from '@fleet/api-views';
import { routes } from '@fleet/contracts/routes';
import { isEnded, type SessionHead } from '@fleet/contracts/sessions';
import { SESSION_EVENTS, SESSION_RECORDS, type SessionEvents, type SessionRecords } from '@fleet/ports';
import { findHead } from '@fleet/sessions';
import { AccessGuard } from '../../auth/access/access.guard';
import { Handles } from '../../http/handles.decorator';
import { SessionIdPipe } from '../../http/session-id.pipe';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { type Query as QueryValues, readQuery } from '../../http/read-query';
import { EventStreams } from './event-streams.service';
import { eventStreamType, OpenStreams } from './open-streams.service';
import { startOf, textHeaders, wantsJson } from './stream-request';

@Controller()
export class SessionEventsController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(SESSION_EVENTS) private readonly history: SessionEvents,
    private readonly streams: EventStreams,
    private readonly open: OpenStreams,
    private readonly guard: AccessGuard,
  ) {}

  /** A stream for clients that accept one; the available events for `Accept: application/json`. */
  @Handles(routes.sessionEvents.events)
  async events(
    @Param('id', SessionIdPipe) id: string,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @Query() query: QueryValues,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const { after: asked, limit } = readQuery(routes.sessionEvents.events, query);
    const head = await findHead(this.records, id);
    const after = startOf(headers['last-event-id'], asked) ?? '0';
    if (wantsJson(headers.accept)) await this.sendJson(id, after, limit, reply);
    else if (request.method === 'HEAD') reply.header('content-type', eventStreamType).send();
    else await this.stream(head, after, request, reply);
  }

  private async sendJson(id: string, after: string, limit: number, reply: HttpReply): Promise<void> {
    const events = await this.history.after(id, after, limit);
    reply.header('cache-control', 'no-cache').send(toEventsView(events, after));
  }

  private async stream(head: SessionHead, after: string, request: HttpRequest, reply: HttpReply): Promise<void> {
    await this.open.admit(request);
    // A browser reconnects after the end of a stream; this response stops it.
    if (after !== '0' && isEnded(head.status) && (await this.history.after(head.id, after, 1)).length === 0) {
      reply.code(204).send();
      return;
    }
    reply.hijack();
    const mayGoOn = (): Promise<boolean> => this.guard.stillAdmits(request, 'session.read');
    await this.streams.run({ sessionId: head.id, afterId: after, mayGoOn }, reply.raw, textHeaders(reply));
  }
}
