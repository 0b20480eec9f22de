import { priorities, sharesPolicySchema, type SharesPolicy, type SharesRequest } from '@fleet/contracts/launches';
import { withDefaults } from '@fleet/contracts/schema';
import fc from 'fast-check';
import { claimsOf, type LaunchPolicy, type SiteLimits } from './claims';
import { nextToLaunch, type Census, type NextToLaunch, type Waiter } from './next-to-launch';

const policyOf = (site: Partial<SiteLimits> = {}, shares: SharesRequest = {}): LaunchPolicy => ({
  site: { maxRunning: 0, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 }, ...site },
  shares: withDefaults(sharesPolicySchema, shares) as SharesPolicy,
});

const hour = 3_600_000;
const now = 100 * hour;
const aCensus = (changes: Partial<Census> = {}): Census => ({
  now,
  taken: {},
  started: {},
  turns: {},
  turn: 0,
  noRoom: [],
  ...changes,
});

let arrivals = 0;
const aWaiter = (name: string, changes: Partial<Waiter> = {}): Waiter => {
  arrivals += 1;
  return {
    name,
    proposal: 'mx1',
    user: '',
    priority: 'standard',
    nodes: 'cpu',
    submittedAt: now,
    since: now,
    arrival: arrivals,
    ...changes,
  };
};

const started = ({ start }: NextToLaunch): readonly string[] => start.map(({ run }) => run.name);
const waits = ({ wait }: NextToLaunch) =>
  wait.map(({ run, full, position, of }) => `${run.name}: ${full.key}, ${String(position)} of ${String(of)}`);

describe('the next run to launch', () => {
  it('has the highest priority; backfill that has waited long enough is standard', () => {
    const waiters = [
      aWaiter('fill', { priority: 'backfill' }),
      aWaiter('old', { priority: 'backfill', submittedAt: now - 12 * hour }),
      aWaiter('usual', { submittedAt: now - hour }),
      aWaiter('live', { priority: 'live', proposal: 'visit' }),
    ];
    expect(started(nextToLaunch(aCensus(), waiters, policyOf()))).toEqual(['live', 'old', 'usual', 'fill']);
  });

  it('belongs to the proposal with the smallest share of the slots for its weight', () => {
    const waiters = [aWaiter('a'), aWaiter('b', { proposal: 'mx2' }), aWaiter('c', { proposal: 'mx3' })];
    const taken = { 'share:cpu:mx1': 2, 'share:cpu:mx2': 3, 'share:cpu:mx3': 1, 'share:gpu:mx3': 9 };
    const weighted = policyOf({}, { proposals: { mx2: { weight: 4 } } });
    expect(started(nextToLaunch(aCensus({ taken }), waiters, policyOf()))).toEqual(['c', 'a', 'b']);
    expect(started(nextToLaunch(aCensus({ taken }), waiters, weighted))).toEqual(['b', 'c', 'a']);
  });

  it('of two with the same share has the earlier virtual time, and an idle proposal accumulates no credit', () => {
    const waiters = [aWaiter('a'), aWaiter('b', { proposal: 'mx2' })];
    expect(started(nextToLaunch(aCensus({ turns: { mx1: 7, mx2: 6 }, turn: 5 }), waiters, policyOf()))).toEqual([
      'b',
      'a',
    ]);
    const { start } = nextToLaunch(aCensus({ turn: 5 }), [aWaiter('new')], policyOf());
    expect(start).toMatchObject([{ nextTurn: 6, turn: 5 }]);
  });

  it('inside a proposal belongs to the session that was submitted first, then to the one that arrived first', () => {
    const waiters = [aWaiter('a'), aWaiter('b'), aWaiter('c', { submittedAt: now - 1 })];
    expect(started(nextToLaunch(aCensus(), waiters, policyOf()))).toEqual(['c', 'a', 'b']);
  });
});

describe('a run that waits', () => {
  it('reports the closest limit, and its position among the runs that this limit blocks', () => {
    const waiters = [
      aWaiter('a1', { submittedAt: 1, since: now - 2 }),
      aWaiter('a2', { submittedAt: 2, since: now - 5 }),
      aWaiter('a3', { submittedAt: 3 }),
      aWaiter('b1', { proposal: 'mx2' }),
      aWaiter('b2', { proposal: 'mx2' }),
    ];
    const next = nextToLaunch(aCensus(), waiters, policyOf({ maxRunning: 2 }, { maxPerProposal: 1 }));
    expect(started(next)).toEqual(['a1', 'b1']);
    expect(waits(next)).toEqual(['a2: proposal:mx1, 1 of 2', 'a3: proposal:mx1, 2 of 2', 'b2: proposal:mx2, 1 of 1']);
    expect(next.wait[1]?.oldestSince).toBe(now - 5);
  });

  it.each<[string, SharesRequest, Partial<Waiter>, string]>([
    ['a user', { maxPerUser: 1 }, { user: 'ada' }, 'user:ada'],
    ['a priority', { maxBackfill: 1 }, { priority: 'backfill' }, 'priority:backfill'],
    ['GPUs, apart', { maxGpuPerProposal: 1 }, { nodes: 'gpu' }, 'share:gpu:mx1'],
    ['one proposal', { proposals: { mx1: { maxRunning: 1 } } }, {}, 'proposal:mx1'],
    ['a day', { startsPerDayPerProposal: 1 }, {}, 'day:mx1'],
    ['a day of a proposal', { proposals: { mx1: { startsPerDay: 1 } } }, {}, 'day:mx1'],
    ['a day of a user', { startsPerDayPerUser: 1 }, { user: 'ada' }, 'userday:ada'],
  ])('for the limit of %s blocks no other run', (_, shares, changes, key) => {
    const others = [
      aWaiter('other', { proposal: 'mx2', user: 'bob', submittedAt: now + 1 }),
      aWaiter('on cpu', { proposal: 'mx3', submittedAt: now + 1 }),
    ];
    const next = nextToLaunch(
      aCensus(),
      [aWaiter('a', changes), aWaiter('b', changes), ...others],
      policyOf({}, shares),
    );
    expect([...started(next)].sort()).toEqual(['a', 'on cpu', 'other']);
    expect(waits(next)).toEqual([`b: ${key}, 1 of 1`]);
  });

  it('for room on the backend is tried one at a time', () => {
    const waiters = [aWaiter('a'), aWaiter('b'), aWaiter('c', { nodes: 'gpu' }), aWaiter('d', { nodes: 'gpu' })];
    const next = nextToLaunch(aCensus({ noRoom: ['cpu'] }), waiters, policyOf());
    expect([...started(next)].sort()).toEqual(['a', 'c', 'd']);
    expect(waits(next)).toEqual(['b: class:cpu, 1 of 1']);
  });

  it('has a position that follows the order in which slots become free: proposals alternate', () => {
    const waiters = [
      ...['a1', 'a2', 'a3'].map((name) => aWaiter(name)),
      ...['b1', 'b2'].map((name) => aWaiter(name, { proposal: 'mx2' })),
    ];
    const next = nextToLaunch(aCensus({ taken: { all: 4 } }), waiters, policyOf({ maxRunning: 4 }));
    expect(next.wait.map(({ run: { name } }) => name)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
    expect(next.wait.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
  });
});

const anyWaiters = fc
  .array(
    fc.record({
      proposal: fc.constantFrom('mx1', 'mx2', 'mx3', 'mx4'),
      user: fc.constantFrom('', 'ada', 'bob'),
      priority: fc.constantFrom(...priorities),
      nodes: fc.constantFrom('cpu' as const, 'gpu' as const),
      submittedAt: fc.integer({ min: now - 20 * hour, max: now }),
    }),
    { maxLength: 40 },
  )
  .map((some) => some.map((changes, index) => aWaiter(`run${String(index)}`, { ...changes, arrival: index })));
const limit = fc.integer({ min: 0, max: 5 });
const anyPolicy = fc
  .record({
    maxRunning: limit,
    maxRunningPerProposal: limit,
    gpu: limit,
    shares: fc.record({
      maxPerProposal: limit,
      maxGpuPerProposal: limit,
      maxPerUser: limit,
      maxBackfill: limit,
      startsPerDayPerUser: limit,
      weight: fc.integer({ min: 1, max: 5 }),
    }),
  })
  .map(({ maxRunning, maxRunningPerProposal, gpu, shares: { weight, ...shares } }) =>
    policyOf(
      { maxRunning, maxRunningPerProposal, classes: { cpu: 0, gpu } },
      { ...shares, proposals: { mx2: { weight } } },
    ),
  );

const countsOf = (next: NextToLaunch, policy: LaunchPolicy): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { run } of next.start)
    for (const { key } of claimsOf(run, policy)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

describe('for all waiters and limits', () => {
  it('each run starts or waits, exactly once', () => {
    fc.assert(
      fc.property(anyWaiters, anyPolicy, (waiters, policy) => {
        const next = nextToLaunch(aCensus(), waiters, policy);
        expect([...started(next), ...next.wait.map(({ run: { name } }) => name)].sort()).toEqual(
          waiters.map(({ name }) => name).sort(),
        );
      }),
    );
  });

  it('no limit is exceeded, and no run waits for a limit that is not reached', () => {
    fc.assert(
      fc.property(anyWaiters, anyPolicy, (waiters, policy) => {
        const next = nextToLaunch(aCensus(), waiters, policy);
        const counts = countsOf(next, policy);
        for (const waiter of waiters)
          for (const { key, limit: most } of claimsOf(waiter, policy))
            if (most > 0) expect(counts.get(key) ?? 0).toBeLessThanOrEqual(most);
        for (const { full } of next.wait) {
          const quota = full.key.startsWith('userday:');
          if (!quota) expect(counts.get(full.key)).toBe(full.limit);
        }
      }),
    );
  });

  it('the order of the input does not matter', () => {
    fc.assert(
      fc.property(anyWaiters, anyPolicy, fc.infiniteStream(fc.nat()), (waiters, policy, keys) => {
        const shuffled = waiters
          .map((waiter) => ({ waiter, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ waiter }) => waiter);
        expect(nextToLaunch(aCensus(), shuffled, policy)).toEqual(nextToLaunch(aCensus(), waiters, policy));
      }),
    );
  });

  it('no run starts before a run of higher priority that waits only for a slot on the same nodes', () => {
    const rank = { live: 0, standard: 1, backfill: 2 };
    const plain = policyOf({ classes: { cpu: 3, gpu: 2 } }, { backfillWaitsHours: 8760 });
    fc.assert(
      fc.property(anyWaiters, (waiters) => {
        const { start, wait } = nextToLaunch(aCensus(), waiters, plain);
        for (const { run: waiter } of wait) {
          for (const { run } of start.filter(({ run: { nodes } }) => nodes === waiter.nodes))
            expect(rank[run.priority]).toBeLessThanOrEqual(rank[waiter.priority]);
        }
      }),
    );
  });
});
