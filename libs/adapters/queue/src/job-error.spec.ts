import { Fault } from '@fleet/contracts/faults';
import { jobError } from './job-error';

const isFinal = (error: unknown): boolean => jobError(error).name === 'UnrecoverableError';

describe('the queue error', () => {
  it.each(['caller', 'not_found', 'conflict', 'bug'] as const)('of a fault of kind %s prevents a retry', (kind) => {
    const error = jobError(new Fault('run.spec_conflict', kind, 'another run has this name'));
    expect(error).toMatchObject({
      name: 'UnrecoverableError',
      message: 'run.spec_conflict: another run has this name',
    });
  });

  it('of a transient fault allows a retry', () => {
    expect(isFinal(new Fault('store.unreachable', 'transient', 'away'))).toBe(false);
  });

  it('of a system error allows a retry', () => {
    expect(isFinal(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))).toBe(false);
  });

  it('of a programming error prevents a retry, and keeps its stack', () => {
    const mistake = new TypeError('x is undefined');
    expect(jobError(mistake)).toMatchObject({ name: 'UnrecoverableError', stack: mistake.stack });
  });

  it('of a value that is not an error prevents a retry', () => {
    expect(isFinal('text')).toBe(true);
  });
});
