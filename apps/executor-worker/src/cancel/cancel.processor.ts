import { Queues, type StepPayload, type StepResult } from '@fleet/contracts';
import { HandlesJob, type JobHandler } from '@fleet/queue';
import { Inject } from '@nestjs/common';
import { CancelSession } from './cancel-session';

/** Job `cancel`: somebody asked to cancel. Ends the program first, then the session. */
@HandlesJob(Queues.executions, 'cancel')
export class CancelProcessor implements JobHandler<'executions', 'cancel'> {
  constructor(@Inject(CancelSession) private readonly session: CancelSession) {}

  handle(payload: StepPayload): Promise<StepResult> {
    return this.session.run(payload);
  }
}
