import { sharesPolicySchema, type SharesPolicy } from '@fleet/contracts/launches';
import { withDefaults } from '@fleet/contracts/schema';
import { expectedWaits, type Census, type LaunchPolicy, type SharedRun, type SiteLimits, type Waiter } from './index';

const now = Date.parse('2026-11-21T08:00:00.000Z');
const shares = withDefaults(sharesPolicySchema, {}) as SharesPolicy;
const policy = (site: Partial<SiteLimits> = {}, more: Partial<SharesPolicy> = {}): LaunchPolicy => ({
  site: { maxRunning: 0, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 }, ...site },
  shares: { ...shares, ...more },
});
const census = (changes: Partial<Census> = {}): Census => ({
  now,
  taken: {},
  started: {},
  turns: {},
  turn: 0,
  noRoom: [],
  ...changes,
});
const run = (name: string, changes: Partial<SharedRun> = {}): SharedRun => ({
  name,
  proposal: 'mx1',
  user: '',
  priority: 'standard',
  nodes: 'cpu',
  submittedAt: now,
  ...changes,
});
const waiter = (name: string, arrival: number, changes: Partial<SharedRun> = {}): Waiter => ({
  ...run(name, changes),
  since: now - 1000,
  submittedAt: now - 1000,
  arrival,
});
const names = (count: number): readonly SharedRun[] =>
  Array.from({ length: count }, (_, index) => run(`r${String(index)}`));
const typicalMs = { cpu: 600_000 };

describe('expectedWaits', () => {
  it('returns 0 for runs that start at once, and estimates for the others in their order', () => {
    const waits = expectedWaits({ census: census(), waiters: [] }, names(6), policy({ maxRunning: 2 }), typicalMs);
    const reason = '2 programs run already, which is the limit';
    expect([...waits]).toEqual([
      ['r0', { seconds: 0 }],
      ['r1', { seconds: 0 }],
      ['r2', { seconds: 300, reason }],
      ['r3', { seconds: 600, reason }],
      ['r4', { seconds: 900, reason }],
      ['r5', { seconds: 1200, reason }],
    ]);
  });

  it('includes runs that already wait, and shares between proposals', () => {
    const waiters = [waiter('a', 1, { proposal: 'mx2' }), waiter('b', 2, { proposal: 'mx2' })];
    const snapshot = { census: census({ taken: { all: 1 } }), waiters };
    const waits = expectedWaits(snapshot, names(2), policy({ maxRunning: 1 }), typicalMs);
    expect([...waits].map(([name, { seconds }]) => [name, seconds])).toEqual([
      ['r0', 1200],
      ['r1', 2400],
    ]);
  });

  it('returns the reason if no estimate is possible', () => {
    const snapshot = { census: census({ taken: { all: 1 } }), waiters: [] };
    expect(expectedWaits(snapshot, names(1), policy({ maxRunning: 1 }), {}).get('r0')).toEqual({
      reason: 'one program runs already, which is the limit',
    });
  });

  it('returns nothing if only the backend knows its capacity, and uses the capacity that the backend reports', () => {
    expect([...expectedWaits({ census: census(), waiters: [] }, names(3), policy(), typicalMs)]).toEqual([]);
    const full = { census: census({ noRoom: ['cpu'], taken: { 'class:cpu': 4 } }), waiters: [waiter('a', 1)] };
    expect(expectedWaits(full, names(1), policy(), typicalMs).get('r0')).toEqual({
      seconds: 150,
      reason: 'others that wait for room on nodes of class cpu come first',
    });
  });
});
