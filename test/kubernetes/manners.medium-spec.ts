import { isFault } from '@fleet/contracts/faults';
import type { FakeRequest } from '@fleet/testing';
import { ClusterRuns } from './cluster-runs';

describe('manners towards the API server', () => {
  let runs: ClusterRuns;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
  });
  afterEach(() => runs.dispose());

  /** Fails the first so many calls that create a Job; the server sees the tries that come after. */
  const failCreations = (times: number, failure: Parameters<typeof once>[1]): FakeRequest[] => once(times, failure);
  const once = (times: number, failure: Exclude<ReturnType<ClusterRuns['cluster']['trouble']>, undefined>) => {
    const seen: FakeRequest[] = [];
    runs.cluster.trouble = (request) => {
      if (request.method !== 'POST') return undefined;
      seen.push(request);
      return seen.length <= times ? failure : undefined;
    };
    return seen;
  };

  it('makes all calls over one pool of sockets', async () => {
    const backend = runs.aBackend();
    for (let round = 0; round < 60; round += 1) await backend.inventory.list();
    await Promise.all(Array.from({ length: 100 }, () => backend.inventory.list()));
    const specs = Array.from({ length: 60 }, () => runs.aSpec());
    await Promise.all(specs.map((spec) => backend.ensure(spec)));
    // 32 of the pool, two watches among them.
    expect(runs.cluster.sockets).toBeLessThanOrEqual(32);
  });

  it('keeps the configured rate, and postpones Jobs beyond it', async () => {
    const api = { requestsPerSecond: 1e-6, burst: 5, relistSeconds: 1e6, watch: false };
    const backend = runs.aBackend({ api });
    const specs = Array.from({ length: 80 }, () => runs.aSpec());
    const states = await Promise.all(specs.map((spec) => backend.ensure(spec)));
    const later = states.filter((state) => state.state === 'waiting' && state.reason.includes('per second'));
    // Two lists, and what the burst leaves.
    expect([runs.cluster.count('POST jobs'), later.length]).toEqual([3, 77]);
    expect(runs.cluster.requests).toHaveLength(5);
  });

  it('waits as long as a busy server requests', async () => {
    const seen = failCreations(1, { status: 429, retryAfter: '0.2' });
    await runs.aBackend().ensure(runs.aSpec());
    expect(seen).toHaveLength(2);
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(190);
  });

  it.each([
    ['a server error', { status: 500 } as const],
    ['a lost leader', { status: 500, message: 'etcdserver: leader changed' } as const],
    ['a server that starts', { status: 503 } as const],
    ['a broken connection', 'reset' as const],
  ])('tries again after %s', async (_what, failure) => {
    const seen = failCreations(3, failure);
    expect(await runs.aBackend().ensure(runs.aSpec())).toMatchObject({ state: 'waiting' });
    expect(seen).toHaveLength(4);
  });

  it('aborts a hanging call, and retries it', async () => {
    const seen = failCreations(1, 'hang');
    const backend = runs.aBackend({}, { pace: { callMs: 500 } });
    expect(await backend.ensure(runs.aSpec())).toMatchObject({ state: 'waiting' });
    expect(seen.length).toBeGreaterThan(1);
  });

  it('does not retry a permanent refusal', async () => {
    const seen = failCreations(9, { status: 422, reason: 'Invalid' });
    await expect(runs.aBackend().ensure(runs.aSpec())).rejects.toThrow('422');
    expect(seen).toHaveLength(1);
  });

  it('reports an unreachable server as a temporary fault', async () => {
    runs.cluster.trouble = () => ({ status: 503 });
    const error: unknown = await runs
      .aBackend({}, { pace: { firstListsMs: 50, retries: { budgetMs: 50, firstDelayMs: 1, largestDelayMs: 10 } } })
      .ensure(runs.aSpec())
      .catch((reason: unknown) => reason);
    expect(isFault(error) && error.code).toBe('cluster.unreachable');
    expect(isFault(error) && error.kind).toBe('transient');
  });

  it('does not list successful Jobs', async () => {
    const specs = Array.from({ length: 20 }, () => runs.aSpec());
    const first = runs.aBackend();
    for (const spec of specs) {
      await first.ensure(spec);
      runs.start(spec);
      runs.cluster.finish(runs.jobOf(spec));
    }
    const failed = runs.aSpec();
    await first.ensure(failed);
    runs.start(failed);
    runs.cluster.finish(runs.jobOf(failed), 1);
    expect((await first.inventory.list()).map(({ name }) => name)).toEqual([failed.name]);
    expect(runs.cluster.objects.list('jobs', '')).toHaveLength(21);
  });

  it('lists in pages', async () => {
    for (let serial = 0; serial < 1_200; serial += 1) {
      runs.cluster.objects.add('jobs', {
        metadata: {
          name: `phx-${String(serial)}`,
          labels: {
            'app.kubernetes.io/managed-by': 'phenix-fleet',
            'phenix-fleet.io/installation': 'fleet',
            'phenix-fleet.io/attempt': 'a',
          },
          annotations: { 'phenix-fleet.io/attempt': `run-${String(serial)}` },
        },
      });
    }
    expect(await runs.aBackend().inventory.list()).toHaveLength(1_200);
    expect(runs.cluster.count('LIST jobs')).toBe(3);
  });

  it('requests events one at a time, only while no call is queued', async () => {
    const specs = Array.from({ length: 60 }, () => runs.aSpec());
    const maker = runs.aBackend();
    for (const spec of specs) await maker.ensure(spec);
    for (const spec of specs) {
      runs.cluster.objects.change('jobs', runs.jobOf(spec), ({ metadata }) => {
        metadata.creationTimestamp = new Date(Date.now() - 60_000).toISOString();
      });
    }
    const backend = runs.aBackend({ api: { requestsPerSecond: 1, burst: 25, relistSeconds: 600, watch: false } });
    const states = await Promise.all(specs.map((spec) => backend.find(spec)));
    expect(states.filter((state) => state?.state === 'waiting')).toHaveLength(specs.length);
    expect(runs.cluster.requests.filter(({ path }) => path.endsWith('/events'))).toHaveLength(1);
  });
});
