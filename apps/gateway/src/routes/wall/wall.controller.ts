import { Controller, Inject, Query, Req } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import type { WallView } from '@fleet/contracts/sessions';
import { toWallRow } from '@fleet/session-report';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { VisibleSessions } from '../../auth/access/visible-sessions';
import type { HttpRequest } from '../../http/http-types';
import { readQuery, type Query as QueryValues } from '../../http/read-query';
import { groupOf, type ListQuery } from '../../http/read-list-query';
import { SessionCounter } from '../sessions/session-counter.service';
import { QueueStatuses } from '../shares/queue-statuses';

const ended = ['cancelling', 'completed', 'unsatisfactory', 'failed', 'cancelled'] as const;

/** The lists: running sessions (the newest, and the oldest of very many), and the last ended ones. */
const lists: readonly Pick<ListQuery, 'filter' | 'order' | 'limit'>[] = [
  { filter: { status: 'running' }, order: '-created', limit: 100 },
  { filter: { status: 'running' }, order: 'created', limit: 100 },
  ...ended.map((status) => ({ filter: { status }, order: '-created', limit: 20 }) as const),
];

/** All session data of a wall display, apart from its updates. */
@Controller()
export class WallController {
  constructor(
    private readonly visible: VisibleSessions,
    @Inject(SessionCounter) private readonly counter: SessionCounter,
    @Inject(QueueStatuses) private readonly queueStatuses: QueueStatuses,
  ) {}

  @Handles(routes.wall.wall)
  async wall(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<WallView> {
    const group = groupOf(readQuery(routes.wall.wall, query));
    const principal = principalOf(request);
    const [counts, ...pages] = await Promise.all([
      this.counter.of(principal, group),
      ...lists.map((one) => this.visible.list(principal, { ...one, filter: { ...group, ...one.filter } })),
    ]);
    const rows = new Map(pages.flatMap(({ sessions }) => sessions.map((row) => [row.id, row] as const)));
    const { sessions } = await this.queueStatuses.shownIn({ sessions: [...rows.values()] });
    return { counts, sessions: sessions.map(toWallRow) };
  }
}
