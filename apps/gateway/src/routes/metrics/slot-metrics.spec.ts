import { sharesPolicySchema, type SharesPolicy } from '@fleet/contracts/launches';
import { withDefaults } from '@fleet/contracts/schema';
import type { Waiter } from '@fleet/fair-shares';
import type { QueueSnapshot } from '@fleet/ports';
import { groupMetrics, slotMetrics } from './slot-metrics';

const now = 1_000_000;
const shares = withDefaults(sharesPolicySchema, { maxPerUser: 1 }) as SharesPolicy;

const aWaiter = (name: string, changes: Partial<Waiter> = {}): Waiter => ({
  name,
  proposal: 'mx1234',
  user: 'ada',
  priority: 'standard',
  nodes: 'cpu',
  submittedAt: 0,
  since: now - 9_000,
  arrival: 1,
  ...changes,
});

const aLine = (changes: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  revision: 1,
  typicalMs: {},
  site: { maxRunning: 4, maxRunningPerProposal: 0, classes: { cpu: 2, gpu: 0 } },
  waiters: [],
  census: { now, taken: { 'class:cpu': 1, all: 1, 'user:ada': 1 }, started: {}, turns: {}, turn: 0, noRoom: [] },
  ...changes,
});

/** `metric label,label value` */
const shown = (line: QueueSnapshot, open = true): readonly string[] =>
  slotMetrics(line, shares, open).map(
    ({ name, labels, value }) =>
      `${name.replace('phenix_fleet_', '')} ${Object.values(labels).join(',')} ${String(value)}`,
  );

describe('queue metrics', () => {
  it('show used slots, and limits if there are any', () => {
    expect(shown(aLine())).toEqual([
      'slots_used cpu 1',
      'slots_used gpu 0',
      'slots_limit cpu 2',
      'slots_limit all 4',
      'launches_oldest_seconds cpu 0',
      'launches_oldest_seconds gpu 0',
    ]);
  });

  it('show what blocks the waiting runs, without names of users', () => {
    const waiters = [
      aWaiter('a', { since: now - 20_000 }),
      aWaiter('b', { user: 'bob' }),
      aWaiter('c', { user: 'cyd' }),
      aWaiter('d', { user: 'dan', nodes: 'gpu', since: now - 500 }),
    ];
    const metrics = shown(aLine({ waiters }));
    expect(metrics).toEqual(
      expect.arrayContaining([
        'launches_oldest_seconds cpu 20',
        'launches_oldest_seconds gpu 0.5',
        'launches_waiting cpu,user 1',
        'launches_waiting cpu,next 1',
        'launches_waiting cpu,class 1',
        'launches_waiting gpu,next 1',
      ]),
    );
    expect(metrics.join()).not.toMatch(/mx1234|ada|bob/);
  });

  it('show that nothing starts while launches are paused, or until an executor has reported its capacity', () => {
    const waiters = [aWaiter('a'), aWaiter('b')];
    expect(shown(aLine({ waiters }), false)).toContain('launches_waiting cpu,paused 2');
    const { typicalMs, revision, census } = aLine();
    expect(shown({ typicalMs, revision, census, waiters })).toContain('launches_waiting cpu,uncounted 2');
  });

  it('show that the backend is full', () => {
    const { census } = aLine();
    const waiters = [aWaiter('a', { user: 'b', nodes: 'gpu' }), aWaiter('b', { user: 'c', nodes: 'gpu' })];
    expect(shown(aLine({ waiters, census: { ...census, noRoom: ['gpu'] } }))).toContain('launches_waiting gpu,room 1');
  });

  it('count the slots of proposal groups, by class, without names of proposals', () => {
    const taken = {
      'share:cpu:mx1234': 3,
      'share:cpu:mx9:a': 1,
      'share:gpu:nt5': 2,
      'share:cpu:cm1': 1,
      'class:cpu': 5,
    };
    const { census } = aLine();
    const metrics = groupMetrics({ census: { ...census, taken } }, [
      { name: 'users', patterns: ['mx*'] },
      { name: 'in-house', patterns: ['nt5'] },
    ]).map(({ labels, value }) => `${Object.values(labels).join(',')} ${String(value)}`);
    expect(metrics).toEqual([
      'cpu,users 4',
      'cpu,in-house 0',
      'cpu,other 1',
      'gpu,users 0',
      'gpu,in-house 2',
      'gpu,other 0',
    ]);
    expect(groupMetrics({ census }, [])).toEqual([]);
  });
});
