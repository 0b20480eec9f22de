import { stateOf } from './state-of';

describe('the displayed state', () => {
  const row = { status: 'running', stage: 'executing', cycle: 2 } as const;

  it.each([
    [{ ...row, cycle: 1, stage: 'deciding' }, 'starting'],
    [{ ...row, cycle: 2, stage: 'deciding' }, 'running'],
    [row, 'running'],
    [{ ...row, waiting: 'no slot is free' }, 'waiting'],
    [{ ...row, stage: 'deciding', waiting: 'for a language model' }, 'waiting'],
    [{ ...row, stage: 'analysing', waiting: 'an old reason' }, 'running'],
    [{ ...row, status: 'cancelling', waiting: 'no slot is free' }, 'cancelling'],
    [{ ...row, status: 'completed', outcome: 'solved' }, 'solved'],
    [{ ...row, status: 'failed', outcome: 'failed_infrastructure' }, 'failed_infrastructure'],
    [{ ...row, status: 'failed', outcome: 'rejected' }, 'rejected'],
    [{ ...row, status: 'failed' }, 'failed_science'],
    [{ ...row, status: 'of a newer gateway' as never }, 'unknown'],
  ] as const)('of %j is %s', (seen, kind) => {
    expect(stateOf(seen)).toBe(kind);
  });
});
