import { turnsOf } from './replica-diary';

describe('the turns of a series', () => {
  it.each([
    [[], 0],
    [[1], 0],
    [[1, 5, 5, 6], 0],
    [[1, 5, 6, 3, 1], 1],
    [[1, 6, 1, 6, 1], 3],
    [[1, 2, 2, 1, 1, 2], 2],
  ])('%j turns %i times', (replicas, turns) => {
    expect(turnsOf(replicas)).toBe(turns);
  });
});
