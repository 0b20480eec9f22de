import { histogram } from './histogram';

describe('a distribution', () => {
  it('has bins with round edges, also for values on an edge', () => {
    expect(histogram([0.2, 0.21, 0.21, 0.3])).toMatchObject({
      step: 0.005,
      least: 0.2,
      median: 0.21,
      most: 0.3,
    });
    const { begins = [], counts = [] } = histogram([1.6, 1.65, 2.1, 2.8]) ?? {};
    expect([begins.slice(0, 2), begins.at(-1)]).toEqual([[1.6, 1.65], 2.8]);
    expect([counts[0], counts[1], counts.at(-1)]).toEqual([1, 1, 1]);
  });

  it('is one bin for equal values, and undefined without values', () => {
    expect(histogram([2, 2, 2])).toMatchObject({ begins: [2], counts: [3] });
    expect(histogram([])).toBeUndefined();
  });

  it('never has more bins than a page can show', () => {
    expect(histogram([0, 1_000_000])?.counts.length).toBeLessThanOrEqual(25);
  });
});
