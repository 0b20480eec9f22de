import type { BatchResult } from '@fleet/contracts/batches';
import type { SessionRow } from '@fleet/contracts/sessions';
import { rowOf } from '@fleet/session-report';
import { aSession } from '@fleet/testing';
import { failureGroups } from './failure-groups';

const failed = (row: number, detail: string): BatchResult => {
  const stop = { reason: 'program_failed', detail, afterCycle: 1 } as const;
  return { row, state: 'accepted', session: rowOf(aSession({ status: 'failed', stop })) };
};

describe('failures of a batch', () => {
  it('are one group if they differ only in numbers and files, the most frequent first', () => {
    const missing = (row: number, path: string): BatchResult => ({
      row,
      state: 'rejected',
      problems: [{ field: 'files[0]', reason: `"${path}" does not exist`, code: 'file.missing' }],
    });
    const groups = failureGroups([
      missing(1, '/data/x1.mtz'),
      failed(2, 'R-free 0.51 after 3 cycles in /work/a/b'),
      failed(3, 'R-free 0.49 after 12 cycles in /work/c'),
      failed(4, 'R-free 0.55 after 4 cycles in /work/a/d.pdb'),
      missing(5, '/data/x 2.mtz'),
      { row: 6, state: 'waiting' },
    ]);
    expect(groups.map(({ kind, sentence, results }) => [kind, sentence, results.map(({ row }) => row)])).toEqual([
      ['failed_science', 'R-free 0.51 after 3 cycles in /work/a/b', [2, 3, 4]],
      ['rejected', 'files[0]: "/data/x1.mtz" does not exist', [1, 5]],
    ]);
  });

  it('of a gateway without sentences are named by their reason', () => {
    const { session, ...row } = failed(1, 'x');
    const { stopDetail, ...older } = session as SessionRow;
    expect(stopDetail).toBe('x');
    expect(failureGroups([{ ...row, session: older }])[0]?.sentence).toBe('program failed');
  });
});
