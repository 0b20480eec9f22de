import { fateOfBatch, type BatchAge } from './batch-retention';
import type { BatchState } from './batches';

const day = 86_400_000;
const old: BatchAge = { idleMs: 7 * day, retentionMs: 7 * day, hasWholeSessions: false };
const none = { waiting: 0, checked: 0, accepted: 0, duplicate: 0, rejected: 0, cancelled: 0 };

const state = ({ verdicts = {}, start = 'each', ...changes }: Changes): BatchState => {
  const all = { ...none, ...verdicts };
  return {
    batch: {
      id: 'x',
      title: '',
      proposal: 'mx1',
      submitter: '',
      start,
      duplicates: 'submit',
      createdAt: '2026-11-21T08:00:00.000Z',
    },
    status: 'open',
    complete: true,
    rows: Object.values(all).reduce((sum, count) => sum + count, 0),
    verdicts: all,
    archived: 0,
    changedAt: 0,
    ...changes,
  };
};

interface Changes extends Partial<Omit<BatchState, 'verdicts' | 'batch'>> {
  readonly verdicts?: Partial<BatchState['verdicts']>;
  readonly start?: BatchState['batch']['start'];
}

describe('a batch', () => {
  it.each<[string, Changes, Partial<BatchAge>]>([
    ['has changed within the retention', { verdicts: { accepted: 2 } }, { idleMs: 7 * day - 1 }],
    ['has a session that is not archived', { verdicts: { accepted: 2 } }, { hasWholeSessions: true }],
    ['has a row that is still to be looked at', { verdicts: { accepted: 2, waiting: 1 } }, {}],
    ['is paused with rows to start', { status: 'paused', verdicts: { waiting: 1 } }, {}],
    ['is about to start its rows together', { start: 'together', verdicts: { checked: 2 } }, {}],
    ['was archived already', { verdicts: { accepted: 2 }, archived: 2 }, {}],
  ])('stays where it %s', (_, changes, age) => {
    expect(fateOfBatch(state(changes), { ...old, ...age })).toBe('stays');
  });

  it.each<[string, Changes]>([
    ['sessions', { verdicts: { accepted: 1, rejected: 1 } }],
    ['duplicates of sessions', { verdicts: { duplicate: 1 } }],
    ['sessions, and was paused', { status: 'paused', verdicts: { accepted: 2 } }],
    ['sessions, and a manifest without an end', { complete: false, verdicts: { accepted: 2 } }],
    ['sessions, and rows that were added after it was archived', { verdicts: { accepted: 3 }, archived: 2 }],
  ])('leaves what has become of its rows where it has %s', (_, changes) => {
    expect(fateOfBatch(state(changes), old)).toBe('leaves');
  });

  it.each<[string, Changes]>([
    ['no rows', {}],
    ['rows that were all rejected', { verdicts: { rejected: 9 } }],
    ['rows that were cancelled before they started', { status: 'cancelled', verdicts: { cancelled: 9 } }],
    ['rows of which one was never mended', { start: 'together', verdicts: { checked: 2, rejected: 1 } }],
    ['rows that wait for the end of the manifest', { start: 'together', complete: false, verdicts: { checked: 2 } }],
  ])('goes where it has %s', (_, changes) => {
    expect(fateOfBatch(state(changes), old)).toBe('goes');
  });
});
