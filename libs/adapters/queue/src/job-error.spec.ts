import { Fault } from '@fleet/contracts/faults';
import { jobError } from './job-error';

const isFinal = (error: unknown): boolean => jobError(error).name === 'UnrecoverableError';

describe('what the queue is told about an error', () => {
  it.each(['caller', 'not_found', 'conflict', 'bug'] as const)('a fault of kind %s is not tried again', (kind) => {
    const error = jobError(new Fault('run.spec_conflict', kind, 'another run has this name'));
    expect(error).toMatchObject({
      name: 'UnrecoverableError',
      message: 'run.spec_conflict: another run has this name',
    });
  });

  it('a transient fault is tried again', () => {
    expect(isFinal(new Fault('store.unreachable', 'transient', 'away'))).toBe(false);
  });

  it('an error of the system is tried again', () => {
    expect(isFinal(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))).toBe(false);
  });

  it('a mistake in the code is not tried again, and keeps its stack', () => {
    const mistake = new TypeError('x is undefined');
    expect(jobError(mistake)).toMatchObject({ name: 'UnrecoverableError', stack: mistake.stack });
  });

  it('something that is not an error is not tried again', () => {
    expect(isFinal('text')).toBe(true);
  });
});
