import { Logger, type Provider } from '@nestjs/common';
import {
  AddRows,
  BatchResults,
  ChangeBatchPriority,
  MakeBatch,
  RetryRows,
  SetBatchStatus,
  WorkOnRow,
  type BatchPorts,
} from '@fleet/batches';
import { BATCH_RECORDS, SESSION_INDEX } from '@fleet/ports';
import { CancelSession, SubmitSession } from '@fleet/sessions';
import { providedObject } from '@fleet/wiring';
import { RequestLimiter } from '../../auth/access/request-limiter';
import { FirstSteps } from '../decisions/first-steps.service';
import { commandsOf } from '../commands-of';
import { GatewaySessionPorts } from '../sessions/session-commands';

const ports = providedObject<BatchPorts, 'log'>(
  {
    batches: BATCH_RECORDS,
    index: SESSION_INDEX,
    sessions: GatewaySessionPorts,
    submitting: SubmitSession,
    cancelling: CancelSession,
    firstSteps: FirstSteps,
    limiter: RequestLimiter,
  },
  { log: new Logger('BatchRows') },
);

/** The commands for batches. */
export const batchCommands: readonly Provider[] = commandsOf(ports, [
  AddRows,
  BatchResults,
  ChangeBatchPriority,
  MakeBatch,
  RetryRows,
  SetBatchStatus,
  WorkOnRow,
]);
