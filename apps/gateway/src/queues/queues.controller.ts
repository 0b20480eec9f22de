import type { QueuedJobDetail, QueuedJobsPage, QueuesView } from '@fleet/contracts';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { AdminSwitch } from '../administration/admin-switch.guard';
import { noteForAudit } from '../audit/audit-note';
import type { HttpRequest } from '../http/http-types';
import type { Query as QueryParameters } from '../http/read-query';
import { HastenJobDocs, QueuedJobDocs, QueuedJobsDocs, QueuesDocs } from '../openapi/queue-docs';
import { LookedAtQueues } from './looked-at-queues.service';
import { queueCalled, readJobQuery } from './read-job-query';

/** What lies in the queues. Jobs are only wake-ups: they are looked at, and a delayed one may begin now; all else the records decide. */
@Controller('v1/admin/queues')
@UseGuards(AdminSwitch)
export class QueuesController {
  constructor(@Inject(LookedAtQueues) private readonly queues: LookedAtQueues) {}

  @Get()
  @Requires('queue.read')
  @QueuesDocs()
  view(): Promise<QueuesView> {
    return this.queues.view();
  }

  @Get(':queue/jobs')
  @Requires('queue.read')
  @QueuedJobsDocs()
  list(
    @Param('queue') queue: string,
    @Query() query: QueryParameters,
    @Req() request: HttpRequest,
  ): Promise<QueuedJobsPage> {
    return this.queues.page(principalOf(request), queueCalled(queue), readJobQuery(query));
  }

  @Get(':queue/jobs/:job')
  @Requires('queue.read')
  @QueuedJobDocs()
  look(@Param('queue') queue: string, @Param('job') id: string, @Req() request: HttpRequest): Promise<QueuedJobDetail> {
    return this.queues.look(principalOf(request), queueCalled(queue), id);
  }

  @Post(':queue/jobs/:job/promotion')
  @Requires('admin.change')
  @HttpCode(200)
  @HastenJobDocs()
  async hasten(
    @Param('queue') queue: string,
    @Param('job') id: string,
    @Req() request: HttpRequest,
  ): Promise<QueuedJobDetail> {
    noteForAudit(request, { object: `job ${id.slice(0, 100)} of ${queue.slice(0, 64)}` });
    return this.queues.hasten(principalOf(request), queueCalled(queue), id);
  }
}
