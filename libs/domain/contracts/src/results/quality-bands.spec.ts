import { bandAt } from './quality-bands';

const bands = [
  { at: 1.75, good: 0.2, acceptable: 0.25, poor: 0.3 },
  { at: 2.5, good: 0.25, acceptable: 0.3, poor: 0.35 },
  { at: 3.25, good: 0.28, acceptable: 0.33, poor: 0.38 },
];

it.each([
  [1.2, 0.25],
  [1.75, 0.25],
  [2.2, 0.28],
  [2.5, 0.3],
  [2.99, 0.3196],
  [3, 0.32],
  [4, 0.33],
  [undefined, 0.33],
])('at %s Å accepts %s', (resolution, acceptable) => {
  expect(bandAt(bands, resolution)?.acceptable).toBe(acceptable);
});

it('changes all limits together, and continuously with the resolution', () => {
  expect(bandAt(bands, 2.2)).toEqual({ good: 0.23, acceptable: 0.28, poor: 0.33 });
  const steps = Array.from({ length: 300 }, (_, index) => bandAt(bands, 1 + index / 100)?.acceptable ?? 0);
  for (const [index, value] of steps.slice(1).entries()) expect(value - (steps[index] ?? 0)).toBeLessThan(0.001);
});

it('has constant limits for a single row, and none without rows', () => {
  const [only] = [{ good: 5, acceptable: 10, poor: 20 }];
  expect(bandAt([only], 1.2)).toEqual(only);
  expect(bandAt([], 2)).toBeUndefined();
});
