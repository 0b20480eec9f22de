import { histogram } from './histogram';

describe('a distribution', () => {
  it('has bins that people can read, also where a value lies on an edge', () => {
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

  it('is one bin where all are the same, and none where there is nothing', () => {
    expect(histogram([2, 2, 2])).toMatchObject({ begins: [2], counts: [3] });
    expect(histogram([])).toBeUndefined();
  });

  it('never has more bins than a page can show, whatever it is given', () => {
    expect(histogram([0, 1_000_000])?.counts.length).toBeLessThanOrEqual(25);
  });
});
