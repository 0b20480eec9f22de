import { Controller, Inject, Query, Req } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import type { SessionCounts } from '@fleet/contracts/sessions';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import type { HttpRequest } from '../../http/http-types';
import { readQuery, type Query as QueryValues } from '../../http/read-query';
import { groupOf } from '../../http/read-list-query';
import { SessionCounter } from './session-counter.service';

/** Beside /v1/sessions and not below it: there every name is that of a session. */
@Controller()
export class CountsController {
  constructor(@Inject(SessionCounter) private readonly counter: SessionCounter) {}

  @Handles(routes.counts.counts)
  async counts(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<SessionCounts> {
    const group = groupOf(readQuery(routes.counts.counts, query));
    return this.counter.of(principalOf(request), group);
  }
}
