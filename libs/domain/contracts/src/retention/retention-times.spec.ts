import { endsBeforeFolder, keptUntil, retentionRuleText, shortestRetentionMs } from './retention-times';

const day = 86_400_000;
const rules = [
  { outcome: 'failed_science', priority: 'backfill', folder: '30d', record: '5y' },
  { outcome: 'failed_science', folder: '90d', record: 'never' },
  { outcome: 'solved', folder: '1y', record: 'never' },
] as const;
const ended = { priority: 'standard', endedAt: 0, isPinned: false, isBatchRunning: false, isUsed: false } as const;

describe('the retention of a session', () => {
  it('is that of the first rule that matches, for the folder and for the record', () => {
    expect(keptUntil(rules, { ...ended, outcome: 'failed_science', priority: 'backfill' })).toEqual({
      rule: rules[0],
      folder: 30 * day,
      record: 5 * 365 * day,
    });
    expect(keptUntil(rules, { ...ended, outcome: 'failed_science' })).toMatchObject({
      rule: rules[1],
      folder: 90 * day,
    });
    expect(keptUntil(rules, { ...ended, outcome: 'solved' })).toMatchObject({ folder: 365 * day, record: Infinity });
  });

  it('is unlimited if no rule matches, or there is none', () => {
    const never = { folder: Infinity, record: Infinity };
    expect(keptUntil(rules, { ...ended, outcome: 'cancelled' })).toEqual(never);
    expect(keptUntil([], { ...ended, outcome: 'solved' })).toEqual(never);
  });

  it('reports the hold of a session, and is unlimited for a running session', () => {
    const solved = { ...ended, outcome: 'solved' } as const;
    expect(keptUntil(rules, { ...solved, isPinned: true, isUsed: true }).hold).toBe('pinned');
    expect(keptUntil(rules, { ...solved, isBatchRunning: true }).hold).toBe('batch');
    expect(keptUntil(rules, { ...solved, isUsed: true })).toMatchObject({ hold: 'in_use', folder: 365 * day });
    const { endedAt, ...running } = ended;
    expect(endedAt).toBe(0);
    expect(keptUntil([{ folder: '1d', record: '1d' }], running)).toEqual({
      hold: 'running',
      folder: Infinity,
      record: Infinity,
    });
  });

  it('is described in words', () => {
    expect(rules.map(retentionRuleText)).toEqual([
      'failed_science, backfill: folder 30 days, record 5 years',
      'failed_science: folder 90 days, record without end',
      'solved: folder 1 year, record without end',
    ]);
    expect(retentionRuleText({ folder: '1d', record: '2d' })).toBe('every session: folder 1 day, record 2 days');
  });

  it('of the record is at least that of the folder', () => {
    expect(endsBeforeFolder({ folder: '2y', record: '729d' })).toBe(true);
    expect(endsBeforeFolder({ folder: 'never', record: '5y' })).toBe(true);
    expect(endsBeforeFolder({ folder: '2y', record: '730d' })).toBe(false);
  });

  it('is checked from the shortest time on', () => {
    expect(shortestRetentionMs(rules, 'folder')).toBe(30 * day);
    expect(shortestRetentionMs([rules[2]], 'record')).toBe(Infinity);
    expect(shortestRetentionMs([], 'folder')).toBe(Infinity);
  });
});
