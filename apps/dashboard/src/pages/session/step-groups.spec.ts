import { aCycle, aDecision, aResult } from '@fleet/testing';
import { stepGroups } from './step-groups';

const cycle = (number: number, step: string, more: Parameters<typeof aCycle>[0] = {}): ReturnType<typeof aCycle> =>
  aCycle({ cycle: number, decision: aDecision({ step }), ...more });
const { decision, attempts } = cycle(4, 'validate');
const unfinished = { cycle: 4, decision, attempts };

describe('the workflow steps of a session', () => {
  const cycles = [
    cycle(1, 'analyze'),
    cycle(2, 'refine', { result: aResult({ outcome: 'failed' }) }),
    cycle(3, 'refine'),
    unfinished,
  ];

  it('are its cycles by step, in order, each with the state of its last one', () => {
    expect(stepGroups(cycles, true)).toEqual([
      { step: 'analyze', cycles: [1], state: 'complete' },
      { step: 'refine', cycles: [2, 3], state: 'complete' },
      { step: 'validate', cycles: [4], state: 'active' },
    ]);
  });

  it('have failed if the session ended before they finished', () => {
    expect(stepGroups(cycles, false).at(-1)?.state).toBe('failed');
  });
});
