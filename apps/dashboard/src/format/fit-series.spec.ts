import { aCycle, aDecision, aResult } from '@fleet/testing';
import { fitSeries } from './fit-series';

const definitions = {
  r_free: {
    label: 'R-free',
    better: 'lower',
    decimals: 4,
    why: '',
    bands: [
      { at: 1.75, good: 0.2, acceptable: 0.25, poor: 0.3 },
      { at: 3.25, good: 0.28, acceptable: 0.33, poor: 0.38 },
    ],
  },
} as const;
const goal = { settings: { r_free_target: 0, map_cc_target: 0 }, resolution: 1.6, definitions };
const cycle = (number: number, metrics: Record<string, number>, more: object = {}): ReturnType<typeof aCycle> =>
  aCycle({ cycle: number, result: aResult({ metrics, ...more }) });

describe('the chart of a session', () => {
  it('has a value for each cycle that measured one, and the target at its resolution', () => {
    const cycles = [
      cycle(1, {}),
      cycle(2, { r_work: 0.3, r_free: 0.33 }),
      cycle(3, { r_free: 0.2 }, { outcome: 'failed' }),
    ];
    expect(fitSeries(cycles, goal)).toEqual({
      cycles: [1, 2, 3],
      metrics: [
        { name: 'r_free', values: [null, 0.33, null] },
        { name: 'r_work', values: [null, 0.3, null] },
      ],
      target: 0.25,
    });
  });

  it('has the requested target, otherwise that of the last band if the resolution is unknown', () => {
    const cycles = [cycle(1, { r_free: 0.3 })];
    expect(fitSeries(cycles, { ...goal, settings: { r_free_target: 0.27, map_cc_target: 0 } })?.target).toBe(0.27);
    expect(fitSeries(cycles, { ...goal, resolution: undefined })?.target).toBe(0.33);
  });

  it('of a map has correlations', () => {
    const decision = aDecision({ experimentType: 'cryoem' });
    const cycles = [aCycle({ decision, result: aResult({ metrics: { map_cc: 0.7, r_free: 0.5 } }) })];
    expect(fitSeries(cycles, goal)?.metrics).toEqual([{ name: 'map_cc', values: [0.7] }]);
  });

  it('is undefined without measurements', () => {
    expect(fitSeries([cycle(1, {})], goal)).toBeUndefined();
  });
});
