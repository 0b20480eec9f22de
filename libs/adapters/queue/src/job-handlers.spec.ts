import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import { HandlesJob } from './handles-job.decorator';
import { handlersOf, type Candidate } from './job-handlers';

@HandlesJob(Queues.executions, 'execute')
class Execute {
  handle({ sessionId }: StepPayload): Promise<StepResult> {
    return Promise.resolve({ outcome: sessionId === '' ? 'stale' : 'advanced' });
  }
}

@HandlesJob(Queues.executions, 'execute')
class ExecuteToo extends Execute {}

@HandlesJob(Queues.executions, 'cancel')
class Cancel extends Execute {}

@HandlesJob(Queues.decisions, 'decide')
class Decide extends Execute {}

const provided = (...types: readonly (new () => object)[]): readonly Candidate[] =>
  types.map((type) => ({ type, instance: new type() }));

describe('the handlers of a queue', () => {
  it('are found by their job', () => {
    const candidates = provided(Execute, Cancel, Decide, Date);
    const handlers = handlersOf(Queues.executions, candidates);
    expect([...handlers.keys()]).toEqual(['execute', 'cancel']);
    expect(handlers.get('cancel')).toBe(candidates[1]?.instance);
  });

  it('are rejected when a job has none', () => {
    expect(() => handlersOf(Queues.executions, provided(Execute))).toThrow(
      'queue executions: job cancel has no handler',
    );
  });

  it('are rejected when a job has two', () => {
    expect(() => handlersOf(Queues.executions, provided(Execute, ExecuteToo, Cancel))).toThrow(
      'job execute has 2 handlers: Execute, ExecuteToo',
    );
  });

  it('are rejected with all problems', () => {
    expect(() => handlersOf(Queues.executions, provided(Execute, ExecuteToo))).toThrow(/execute has 2.*cancel has no/);
  });

  it('count once when one instance has two tokens', () => {
    const instance = new Decide();
    const twice = [Decide, Decide].map((type) => ({ type, instance }));
    expect(handlersOf(Queues.decisions, twice).get('decide')).toBe(instance);
  });
});
