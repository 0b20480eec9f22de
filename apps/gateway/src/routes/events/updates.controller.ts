import { Controller, Headers, Query, Req, Res } from '@nestjs/common';
import { isWithinReach, may } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { routes } from '@fleet/contracts/routes';
import { wallQuery, type SessionUpdate, type SessionUpdatePage, type WallUpdate } from '@fleet/contracts/sessions';
import type { SessionGroup } from '@fleet/ports';
import { toWallUpdate } from '@fleet/session-report';
import { AccessGuard } from '../../auth/access/access.guard';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { readQuery, type Query as QueryValues } from '../../http/read-query';
import { groupOf } from '../../http/read-list-query';
import { isWanted } from './is-wanted';
import { UpdatePages } from './update-pages.service';
import { UpdateStreams } from './update-streams.service';
import { eventStreamType, OpenStreams } from './open-streams.service';
import { startOf, textHeaders, wantsJson } from './stream-request';

/** Filters by other members would reveal what a wall does not show. */
const parametersOfWalls = { after: routes.updates.follow.query.after, ...wallQuery };

/** Milliseconds for which a stream caches its client's access. */
const admittedMs = 1_000;

@Controller()
export class UpdatesController {
  constructor(
    private readonly pages: UpdatePages,
    private readonly streams: UpdateStreams,
    private readonly open: OpenStreams,
    private readonly guard: AccessGuard,
  ) {}

  /** A stream for clients that accept one; the available updates for `Accept: application/json`. */
  @Handles(routes.updates.follow)
  async updates(
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @Query() query: QueryValues,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const values = may(principalOf(request), 'session.list')
      ? readQuery(routes.updates.follow, query)
      : readQuery({ query: parametersOfWalls }, query);
    const wanted = groupOf(values);
    const cursor = startOf(headers['last-event-id'], values.after);
    if (wantsJson(headers.accept)) {
      reply.header('cache-control', 'no-store').send(await this.pageFor(principalOf(request), wanted, cursor));
      return;
    }
    if (request.method === 'HEAD') {
      reply.header('content-type', eventStreamType).send();
      return;
    }
    await this.open.admit(request);
    const principal = this.admitted(request);
    const hearing = { wanted, cursor: cursor ?? (await this.pages.newest()), isNew: cursor === undefined, principal };
    reply.hijack();
    await this.streams.run(hearing, reply.raw, textHeaders(reply));
  }

  private async pageFor(
    principal: Principal,
    wanted: SessionGroup,
    cursor: string | undefined,
  ): Promise<Omit<SessionUpdatePage, 'updates'> & { readonly updates: readonly (SessionUpdate | WallUpdate)[] }> {
    if (cursor === undefined) return { updates: [], next: await this.pages.newest(), missed: false };
    const { updates, missed, last } = await this.pages.now(cursor);
    const visible = updates
      .map((one) => one.update)
      .filter((one) => isWithinReach(principal, one.session) && isWanted(one, wanted));
    return { updates: may(principal, 'session.list') ? visible : visible.map(toWallUpdate), next: last, missed };
  }

  /** The caller, looked up again after a moment. */
  private admitted(request: HttpRequest): () => Promise<Principal> {
    let known = principalOf(request);
    let until = performance.now() + admittedMs;
    return async () => {
      if (performance.now() < until) return known;
      known = await this.guard.admit(request, 'wall.read');
      until = performance.now() + admittedMs;
      return known;
    };
  }
}
