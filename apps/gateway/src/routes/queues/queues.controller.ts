import type { QueuedJobDetail, QueuedJobsPage, QueuesView } from '@fleet/contracts/queues';
import { routes } from '@fleet/contracts/routes';
import { QueueContents, queueCalled } from '@fleet/queues';
import { Controller, Param, Query, Req, UseGuards } from '@nestjs/common';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { AdminSwitch } from '../../http/admin-switch.guard';
import { noteForAudit } from '../../http/audit-note';
import type { HttpRequest } from '../../http/http-types';
import { type Query as QueryParameters, readQuery } from '../../http/read-query';

/**
 * The jobs in the queues. Jobs are only wake-ups: they can be listed, and a delayed one can start now; the records
 * decide everything else.
 */
@Controller()
@UseGuards(AdminSwitch)
export class QueuesController {
  constructor(private readonly queues: QueueContents) {}

  @Handles(routes.queues.view)
  view(): Promise<QueuesView> {
    return this.queues.view();
  }

  @Handles(routes.queues.list)
  list(
    @Param('queue') queue: string,
    @Query() query: QueryParameters,
    @Req() request: HttpRequest,
  ): Promise<QueuedJobsPage> {
    return this.queues.page(principalOf(request), queueCalled(queue), readQuery(routes.queues.list, query));
  }

  @Handles(routes.queues.look)
  look(@Param('queue') queue: string, @Param('job') id: string, @Req() request: HttpRequest): Promise<QueuedJobDetail> {
    return this.queues.look(principalOf(request), queueCalled(queue), id);
  }

  @Handles(routes.queues.hasten)
  async hasten(
    @Param('queue') queue: string,
    @Param('job') id: string,
    @Req() request: HttpRequest,
  ): Promise<QueuedJobDetail> {
    noteForAudit(request, { object: `job ${id.slice(0, 100)} of ${queue.slice(0, 64)}` });
    return this.queues.hasten(principalOf(request), queueCalled(queue), id);
  }
}
