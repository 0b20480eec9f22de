import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import type { WallView } from '@fleet/contracts';
import { toWallRow } from '@fleet/session-report';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { VisibleSessions } from '../access/visible-sessions';
import type { HttpRequest } from '../http/http-types';
import { QueryReader, type Query as QueryValues } from '../http/read-query';
import { WallDocs } from '../openapi/session-docs';
import { readGroup, wallParameters, type ListQuery } from '../sessions/read-list-query';
import { SessionCounter } from '../sessions/session-counter.service';
import { Standings } from '../shares/standings.service';

const ended = ['cancelling', 'completed', 'unsatisfactory', 'failed', 'cancelled'] as const;

/** What is listed: what runs (the newest, and the oldest of very many), and what ended last. */
const lists: readonly Pick<ListQuery, 'filter' | 'order' | 'limit'>[] = [
  { filter: { status: 'running' }, order: '-created', limit: 100 },
  { filter: { status: 'running' }, order: 'created', limit: 100 },
  ...ended.map((status) => ({ filter: { status }, order: '-created', limit: 20 }) as const),
];

/** All that a screen reads of sessions, apart from their updates. */
@Controller('v1/wall')
export class WallController {
  constructor(
    private readonly visible: VisibleSessions,
    @Inject(SessionCounter) private readonly counter: SessionCounter,
    @Inject(Standings) private readonly standings: Standings,
  ) {}

  @Get()
  @Requires('wall.read')
  @WallDocs()
  async wall(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<WallView> {
    const reader = new QueryReader(query, wallParameters);
    const group = readGroup(reader);
    reader.done();
    const principal = principalOf(request);
    const [counts, ...pages] = await Promise.all([
      this.counter.of(principal, group),
      ...lists.map((one) => this.visible.list(principal, { ...one, filter: { ...group, ...one.filter } })),
    ]);
    const rows = new Map(pages.flatMap(({ sessions }) => sessions.map((row) => [row.id, row] as const)));
    const { sessions } = await this.standings.shownIn({ sessions: [...rows.values()] });
    return { counts, sessions: sessions.map(toWallRow) };
  }
}
