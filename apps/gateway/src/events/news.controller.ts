import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { isWithinReach, may } from '@fleet/access';
import type { Principal, SessionNews, SessionNewsPage, WallNews } from '@fleet/contracts';
import type { SessionGroup } from '@fleet/ports';
import { toWallNews } from '@fleet/session-report';
import { AccessGuard } from '../access/access.guard';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import type { HttpReply, HttpRequest } from '../http/http-types';
import { QueryReader, type Query as QueryValues } from '../http/read-query';
import { NewsDocs } from '../openapi/news-docs';
import { groupParameters, readGroup, wallParameters } from '../sessions/read-list-query';
import { isWanted } from './is-wanted';
import { NewsPages } from './news-pages.service';
import { NewsStreams } from './news-streams.service';
import { eventStreamType, OpenStreams } from './open-streams.service';
import { eventId, eventIdAllowed, startOf, textHeaders, wantsJson } from './stream-request';

/** Milliseconds for which a stream believes that its client may see what it could see before. */
const admittedMs = 1_000;

@Controller('v1/events')
export class NewsController {
  constructor(
    private readonly pages: NewsPages,
    private readonly streams: NewsStreams,
    private readonly open: OpenStreams,
    private readonly door: AccessGuard,
  ) {}

  /** A stream for those who accept one; for `Accept: application/json` what there is now. */
  @Get()
  @Requires('wall.read')
  @NewsDocs()
  async news(
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @Query() query: QueryValues,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const filters = may(principalOf(request), 'session.list') ? groupParameters : wallParameters;
    const reader = new QueryReader(query, [...filters, 'after']);
    const wanted = readGroup(reader);
    const asked = reader.text('after', eventId, eventIdAllowed);
    reader.done();
    const place = startOf(headers['last-event-id'], asked);
    if (wantsJson(headers.accept)) {
      reply.header('cache-control', 'no-store').send(await this.pageFor(principalOf(request), wanted, place));
      return;
    }
    if (request.method === 'HEAD') {
      reply.header('content-type', eventStreamType).send();
      return;
    }
    await this.open.admit(request);
    const principal = this.admitted(request);
    const hearing = { wanted, place: place ?? (await this.pages.newest()), isNew: place === undefined, principal };
    reply.hijack();
    await this.streams.run(hearing, reply.raw, textHeaders(reply));
  }

  private async pageFor(
    principal: Principal,
    wanted: SessionGroup,
    place: string | undefined,
  ): Promise<Omit<SessionNewsPage, 'news'> & { readonly news: readonly (SessionNews | WallNews)[] }> {
    if (place === undefined) return { news: [], next: await this.pages.newest(), missed: false };
    const { told, missed, last } = await this.pages.now(place);
    const news = told
      .map((one) => one.news)
      .filter((one) => isWithinReach(principal, one.session) && isWanted(one, wanted));
    return { news: may(principal, 'session.list') ? news : news.map(toWallNews), next: last, missed };
  }

  /** Who asks, looked up again when the last answer is older than a moment. */
  private admitted(request: HttpRequest): () => Promise<Principal> {
    let known = principalOf(request);
    let until = performance.now() + admittedMs;
    return async () => {
      if (performance.now() < until) return known;
      known = await this.door.admit(request, 'wall.read');
      until = performance.now() + admittedMs;
      return known;
    };
  }
}
