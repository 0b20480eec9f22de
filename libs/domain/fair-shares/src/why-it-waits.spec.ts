import { sharesPolicySchema, type SharesPolicy } from '@fleet/contracts/launches';
import { withDefaults } from '@fleet/contracts/schema';
import { mayBeLive } from './claims';
import { queueStatusesOf } from './queue-statuses';
import { estimatedStart, waitReasonText } from './why-it-waits';

const now = Date.parse('2026-11-21T08:00:00.000Z');

describe('the reason for a wait', () => {
  it.each([
    ['all', 12, '12 programs run already, which is the limit'],
    ['class:gpu', 1, 'one program runs on nodes of class gpu already, which is the limit'],
    ['class:cpu', 0, 'others that wait for room on nodes of class cpu come first'],
    ['proposal:mx1', 3, '3 programs run for proposal mx1 already, which is the limit'],
    ['share:gpu:mx1', 2, '2 programs run on a GPU for proposal mx1 already, which is the limit'],
    ['user:ada', 2, '2 programs run for ada already, which is the limit'],
    ['priority:backfill', 2, '2 programs run with priority backfill already, which is the limit'],
    [
      'day:mx1',
      100,
      'proposal mx1 has started 100 programs today, which is the limit; the next may start after 00:00 UTC',
    ],
    ['userday:ada', 1, 'ada has started one program today, which is the limit; the next may start after 00:00 UTC'],
  ])('is one sentence: %s of %d', (key, limit, text) => {
    expect(waitReasonText({ key, limit })).toBe(text);
  });
});

describe('the estimated start', () => {
  const run = {
    name: 'a',
    proposal: 'mx1',
    user: '',
    priority: 'standard',
    nodes: 'cpu',
    submittedAt: now,
    since: now,
    arrival: 1,
  } as const;
  const queued = { run, full: { key: 'all', limit: 4 }, position: 6, of: 9, oldestSince: now };

  it('follows from the position, the slots and the typical duration', () => {
    expect(estimatedStart(queued, { now, typicalMs: 600_000, running: 4 })).toBe(now + 900_000);
  });

  it('follows from the number of running programs if the backend has no room', () => {
    const noRoom = { ...queued, full: { key: 'class:cpu', limit: 0 } };
    expect(estimatedStart(noRoom, { now, typicalMs: 600_000, running: 12 })).toBe(now + 300_000);
    expect(estimatedStart(noRoom, { now, typicalMs: 600_000, running: 0 })).toBeUndefined();
  });

  it('is the next day if the daily quota is used up, and unknown before a program has ended', () => {
    const spent = { ...queued, full: { key: 'day:mx1', limit: 3 } };
    expect(new Date(estimatedStart(spent, { now, running: 0 })!).toISOString()).toBe('2026-11-22T00:00:00.000Z');
    expect(estimatedStart(queued, { now, running: 4 })).toBeUndefined();
  });
});

it('queue statuses contain the longest wait', () => {
  const waiter = { proposal: 'mx1', user: '', priority: 'standard', nodes: 'cpu', submittedAt: now } as const;
  const waiters = [
    { ...waiter, name: 'a', since: now - 60_000, arrival: 1 },
    { ...waiter, name: 'b', since: now - 30_000, arrival: 2 },
  ];
  const policy = {
    site: { maxRunning: 1, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 } },
    shares: withDefaults(sharesPolicySchema, {}) as SharesPolicy,
  };
  const census = { now, taken: { all: 1, 'class:cpu': 1 }, started: {}, turns: {}, turn: 0, noRoom: [] };
  expect(queueStatusesOf({ census, waiters }, policy, { cpu: 600_000 }).get('b')).toEqual({
    reason: 'one program runs already, which is the limit',
    position: 2,
    of: 2,
    since: '2026-11-21T07:59:30.000Z',
    oldestSince: '2026-11-21T07:59:00.000Z',
    estimatedStart: '2026-11-21T08:20:00.000Z',
  });
});

it.each([
  [[], false],
  [['*'], true],
  [['mx1'], true],
  [['i04'], true],
  [['mx2'], false],
])('live is allowed for those that %j names', (liveAllowedFor, allowed) => {
  const policy = withDefaults(sharesPolicySchema, { liveAllowedFor }) as SharesPolicy;
  expect(mayBeLive(policy, { proposal: 'mx1', beamline: 'i04' })).toBe(allowed);
});
