import { retentionSentences } from './retention-text';

const due = { rule: 'solved: folder 1 year, record 5 years', folderUntil: '2027-03-01T08:00:00.000Z' } as const;

describe('the retention of a session, in sentences', () => {
  it('is empty if no rule applies', () => {
    expect(retentionSentences({})).toEqual([]);
    expect(retentionSentences({ hold: 'running' })).toEqual([]);
  });

  it('contains the day and the rule, and what extends it', () => {
    expect(retentionSentences(due)).toEqual([
      'Its files are kept until 2027-03-01 (rule solved: folder 1 year, record 5 years).',
    ]);
    expect(retentionSentences({ ...due, hold: 'in_use', recordUntil: '2031-03-01T08:00:00.000Z' })).toEqual([
      'Its files are kept until 2027-03-01 (rule solved: folder 1 year, record 5 years; kept longer while other sessions use them as inputs).',
      'The session is deleted after 2031-03-01.',
    ]);
  });

  it('contains who has pinned it and why, or that its files were deleted', () => {
    const pin = { at: due.folderUntil, by: 'ada', reason: 'deposited' };
    expect(retentionSentences({ ...due, hold: 'pinned', pin })).toEqual([
      'Pinned by ada on 2027-03-01: deposited. It is not deleted.',
    ]);
    expect(retentionSentences({ purged: { at: due.folderUntil, rule: due.rule, bytes: 1_500_000 } })).toEqual([
      'Its files were deleted on 2027-03-01 (solved: folder 1 year, record 5 years; 1.5 MB freed).',
    ]);
  });
});
