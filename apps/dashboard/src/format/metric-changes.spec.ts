import { aCycle, aResult } from '@fleet/testing';
import { changesOf } from './metric-changes';

const definitions = {
  r_free: { label: 'R-free', better: 'lower', decimals: 4, significant: 0.005, why: '' },
  clashscore: { label: 'Clashscore', better: 'lower', decimals: 1, why: '' },
} as const;
const cycle = (number: number, metrics: Record<string, number | string>): ReturnType<typeof aCycle> =>
  aCycle({ cycle: number, result: aResult({ metrics }) });

it('shows how a number differs from the previous measurement', () => {
  const cycles = [cycle(1, { r_free: 0.3 }), cycle(2, { clashscore: 4 }), cycle(3, { r_free: 0.25, clashscore: 4 })];
  expect(changesOf(cycles, cycles[2]!, definitions)).toEqual([
    { name: 'r_free', text: 'R-free 0.2500', delta: '−0.0500', direction: 'better' },
    { name: 'clashscore', text: 'Clashscore 4.0' },
  ]);
  expect(changesOf(cycles, cycles[0]!, definitions)).toEqual([{ name: 'r_free', text: 'R-free 0.3000' }]);
});
