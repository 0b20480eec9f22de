import { sessionOutcomes } from '@fleet/contracts/sessions';
import { aCycle, aResult } from '@fleet/testing';
import { countEnd, countEndsFromZero } from './count-end';

describe('metrics of ended sessions', () => {
  const counted: unknown[] = [];
  const metrics = {
    count: (...args: readonly unknown[]) => void counted.push(args),
    observe: (...args: readonly unknown[]) => void counted.push(args),
  };
  const stop = { reason: 'converged', detail: 'done', afterCycle: 2 } as const;
  beforeEach(() => {
    counted.length = 0;
  });

  it('start at 0 for every possible label', () => {
    countEndsFromZero(metrics);
    expect(counted).toEqual(sessionOutcomes.map((outcome) => ['phenix_fleet_session_ends_total', { outcome }, 0]));
  });

  it.each([
    ['r_free', 'phenix_fleet_session_r_free'],
    ['map_cc', 'phenix_fleet_session_map_cc'],
    ['cc_mask', 'phenix_fleet_session_map_cc'],
  ])('contain the last %s', (metric, name) => {
    const cycle = (value: number) => aCycle({ result: { ...aResult(), fit: { metric, value } } });
    countEnd(metrics, [cycle(0.4), cycle(0.25)], stop);
    expect(counted).toEqual([
      ['phenix_fleet_session_ends_total', { outcome: 'solved' }],
      [name, { outcome: 'solved' }, 0.25],
    ]);
  });

  it('contain only the outcome if nothing was measured', () => {
    countEnd(metrics, [], { ...stop, reason: 'no_program', afterCycle: 0 });
    expect(counted).toEqual([['phenix_fleet_session_ends_total', { outcome: 'rejected' }]]);
  });
});
