import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import { HandlesJob } from './handles-job.decorator';
import type { JobProducer } from './job-producer';

const payload: StepPayload = { version: 1, sessionId: 'x', sessionVersion: 1 };

/** Never called: the compiler is the test (`npm run types`), because a missing expected error is an error. */
export const wrongUses = async (jobs: JobProducer): Promise<void> => {
  await jobs.add(Queues.decisions, 'decide', payload, 'id');
  // @ts-expect-error a job of another queue
  await jobs.add(Queues.decisions, 'execute', payload, 'id');
  // @ts-expect-error a misspelt field
  await jobs.add(Queues.executions, 'cancel', { version: 1, sesionId: 'x', sessionVersion: 1 }, 'id');
  // @ts-expect-error a missing field
  await jobs.add(Queues.analyses, 'analyse', { version: 1, sessionId: 'x' }, 'id');
  // @ts-expect-error a queue that does not exist
  await jobs.add('decision', 'decide', payload, 'id');
};

// @ts-expect-error a handler that returns something else
@HandlesJob(Queues.decisions, 'decide')
export class WrongResult {
  handle({ sessionId }: StepPayload): Promise<string> {
    return Promise.resolve(sessionId);
  }
}

// @ts-expect-error a handler that takes something else
@HandlesJob(Queues.decisions, 'decide')
export class WrongPayload {
  handle({ path }: { readonly path: string }): Promise<StepResult> {
    return Promise.resolve({ outcome: path === '' ? 'stale' : 'advanced' });
  }
}

describe('typed jobs', () => {
  it('accept a matching handler', () => {
    class Fits {
      handle({ sessionId }: StepPayload): Promise<StepResult> {
        return Promise.resolve({ outcome: sessionId === '' ? 'stale' : 'advanced' });
      }
    }
    expect(() => HandlesJob(Queues.analyses, 'analyse')(Fits)).not.toThrow();
  });
});
