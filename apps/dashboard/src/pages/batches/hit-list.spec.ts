import type { BatchResult } from '@fleet/contracts/batches';
import { rowOf } from '@fleet/session-report';
import { aRequest, aSession } from '@fleet/testing';
import { sortedHits } from './hit-list';

const hit = (
  row: number,
  title: string,
  fit?: readonly [metric: string, value: number, resolution: number],
): BatchResult => ({
  row,
  state: 'accepted',
  session: {
    ...rowOf(aSession({ request: aRequest({ title }) })),
    ...(fit && { fit: { metric: fit[0], value: fit[1], resolution: fit[2] } }),
  },
});

describe('a hit list', () => {
  const results = [
    hit(1, 'x10', ['r_free', 0.3, 1.9]),
    hit(2, 'x9'),
    hit(3, 'x2', ['map_cc', 0.8, 3.1]),
    hit(4, 'x1', ['r_free', 0.21, 2.2]),
    { row: 5, state: 'rejected' } as const,
  ];

  it.each([
    ['fit', [3, 4, 1, 2, 5]],
    ['resolution', [1, 4, 3, 2, 5]],
    ['row', [1, 2, 3, 4, 5]],
    ['title', [4, 3, 2, 1, 5]],
    ['outcome', [5, 1, 2, 3, 4]],
  ] as const)('by %s has rows %j', (order, rows) => {
    expect(sortedHits(results, order).map(({ row }) => row)).toEqual(rows);
  });
});
