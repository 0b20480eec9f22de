import type { DeadStepDetail, DeadStepsView, StepsDropped, StepsRetried } from '@fleet/contracts/queues';
import { routes } from '@fleet/contracts/routes';
import { DeadSteps, readStepDrop, readStepRetry } from '@fleet/queues';
import { Body, Controller, Param, Query, Req, UseGuards } from '@nestjs/common';
import { Handles } from '../../http/handles.decorator';
import { AdminSwitch } from '../../http/admin-switch.guard';
import { noteForAudit } from '../../http/audit-note';
import type { HttpRequest } from '../../http/http-types';
import { given, type Query as QueryParameters, readQuery } from '../../http/read-query';

/** Steps that failed for good, for administrators. */
@Controller()
@UseGuards(AdminSwitch)
export class DeadStepsController {
  constructor(private readonly dead: DeadSteps) {}

  @Handles(routes.deadSteps.list)
  list(@Query() query: QueryParameters): Promise<DeadStepsView> {
    const { limit, ...filter } = readQuery(routes.deadSteps.list, query);
    return this.dead.view(given(filter), limit);
  }

  @Handles(routes.deadSteps.look)
  look(@Param('id') id: string): Promise<DeadStepDetail> {
    return this.dead.look(id);
  }

  @Handles(routes.deadSteps.retry)
  async retry(@Body() body: unknown, @Req() request: HttpRequest): Promise<StepsRetried> {
    const { chosen, perMinute } = readStepRetry(body);
    const retried: string[] = [];
    try {
      return await this.dead.retry(chosen, perMinute, (id) => retried.push(id));
    } finally {
      noteForAudit(request, { object: 'dead steps', after: { retried, perMinute } });
    }
  }

  @Handles(routes.deadSteps.drop)
  async drop(@Body() body: unknown, @Req() request: HttpRequest): Promise<StepsDropped> {
    const { chosen, reason } = readStepDrop(body);
    const dropped: string[] = [];
    try {
      return await this.dead.drop(chosen, (id) => dropped.push(id));
    } finally {
      noteForAudit(request, { object: 'dead steps', after: { dropped, reason } });
    }
  }
}
