import type { QueueStatusAnswer } from '@fleet/contracts/launches';
import { routes } from '@fleet/contracts/routes';
import { SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { Controller, Inject, Param } from '@nestjs/common';
import { findHead } from '@fleet/sessions';
import { Handles } from '../../http/handles.decorator';
import { SessionIdPipe } from '../../http/session-id.pipe';
import { QueueStatuses } from './queue-statuses';

/** Separate from the session itself: it changes without a change of the record, from which ETags are derived. */
@Controller()
export class QueueStatusController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(QueueStatuses) private readonly queueStatuses: QueueStatuses,
  ) {}

  @Handles(routes.queueStatuses.queueStatus)
  async queueStatus(@Param('id', SessionIdPipe) id: string): Promise<QueueStatusAnswer> {
    const queueStatus = await this.queueStatuses.of(await findHead(this.records, id));
    return queueStatus === undefined ? {} : { queueStatus };
  }
}
