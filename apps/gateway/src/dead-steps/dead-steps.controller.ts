import type { DeadStepDetail, DeadStepsView, StepsDropped, StepsRetried } from '@fleet/contracts';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import { Requires } from '../access/requires.decorator';
import { AdminSwitch } from '../administration/admin-switch.guard';
import { noteForAudit } from '../audit/audit-note';
import type { HttpRequest } from '../http/http-types';
import type { Query as QueryParameters } from '../http/read-query';
import { DeadStepDocs, DeadStepsDocs, DropStepsDocs, RetryStepsDocs } from '../openapi/dead-steps-docs';
import { DeadSteps } from './dead-steps.service';
import { readDeadStepQuery, readStepDrop, readStepRetry } from './read-dead-steps';

/** Steps that failed for good, for those who run the service. */
@Controller('v1/admin/steps')
@UseGuards(AdminSwitch)
export class DeadStepsController {
  constructor(@Inject(DeadSteps) private readonly dead: DeadSteps) {}

  @Get()
  @Requires('admin.read')
  @DeadStepsDocs()
  list(@Query() query: QueryParameters): Promise<DeadStepsView> {
    const { filter, limit } = readDeadStepQuery(query);
    return this.dead.view(filter, limit);
  }

  @Get(':id')
  @Requires('admin.read')
  @DeadStepDocs()
  look(@Param('id') id: string): Promise<DeadStepDetail> {
    return this.dead.look(id);
  }

  @Post('retry')
  @Requires('admin.change')
  @HttpCode(202)
  @RetryStepsDocs()
  async retry(@Body() body: unknown, @Req() request: HttpRequest): Promise<StepsRetried> {
    const { chosen, perMinute } = readStepRetry(body);
    const retried: string[] = [];
    try {
      return await this.dead.retry(chosen, perMinute, (id) => retried.push(id));
    } finally {
      noteForAudit(request, { object: 'dead steps', after: { retried, perMinute } });
    }
  }

  @Post('drop')
  @Requires('admin.change')
  @HttpCode(200)
  @DropStepsDocs()
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
