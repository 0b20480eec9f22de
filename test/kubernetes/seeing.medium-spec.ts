import { eventually } from '@fleet/testing';
import { ClusterRuns } from './cluster-runs';

describe('seeing runs start and end', () => {
  let runs: ClusterRuns;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
  });
  afterEach(() => runs.dispose());

  const untilOver = (backend: ReturnType<ClusterRuns['aBackend']>, spec: ReturnType<ClusterRuns['aSpec']>) =>
    runs.ended(() => backend.find(spec));

  it('reports starts and ends immediately', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    const changed: string[] = [];
    backend.onChanged((name) => changed.push(name));
    await backend.ensure(spec);
    runs.start(spec);
    await eventually('the start', () => changed.length === 1);
    expect(await backend.find(spec)).toMatchObject({ state: 'running' });
    runs.publish(spec);
    runs.cluster.finish(runs.jobOf(spec));
    await eventually('the end', () => changed.length >= 2);
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'exited' } });
    expect(new Set(changed)).toEqual(new Set([spec.name]));
  });

  it('makes no requests while runs wait or run', async () => {
    const backend = runs.aBackend();
    const specs = Array.from({ length: 20 }, () => runs.aSpec());
    for (const spec of specs) await backend.ensure(spec);
    const before = runs.cluster.requests.length;
    for (let round = 0; round < 5; round += 1) for (const spec of specs) await backend.find(spec);
    expect(runs.cluster.requests.length - before).toBeLessThanOrEqual(4);
  });

  it('sees ends with the watch switched off', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend({
      api: { requestsPerSecond: 1000, burst: 1000, relistSeconds: 0.02, watch: false },
    });
    await backend.ensure(spec);
    runs.start(spec);
    runs.cluster.finish(runs.jobOf(spec), 1);
    await untilOver(backend, spec);
    expect(runs.cluster.count('WATCH jobs')).toBe(0);
    expect(await backend.find(spec)).toMatchObject({ ending: { kind: 'lost', infrastructure: true } });
  });

  const unwatched = { requestsPerSecond: 1000, burst: 1000, relistSeconds: 0.02, watch: false };

  it('reports a success between two lists without a watch', async () => {
    const backend = runs.aBackend({ api: unwatched });
    const changed: string[] = [];
    backend.onChanged((name) => changed.push(name));
    const spec = runs.aSpec();
    await backend.ensure(spec);
    runs.start(spec);
    runs.publish(spec);
    runs.cluster.finish(runs.jobOf(spec));
    await eventually('the end', () => changed.includes(spec.name));
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'exited' } });
  });

  it('reports an ended pod of a running Job at the next list', async () => {
    const backend = runs.aBackend({ api: unwatched });
    const changed: string[] = [];
    backend.onChanged((name) => changed.push(name));
    const spec = runs.aSpec();
    await backend.ensure(spec);
    runs.claim(spec);
    runs.publish(spec);
    runs.cluster.addPod(runs.jobOf(spec), { phase: 'Succeeded' });
    await eventually('the end', () => changed.includes(spec.name));
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'exited' } });
  });

  it('finds the outcome of a Job that no list contains', async () => {
    const spec = runs.aSpec();
    await runs.aBackend().ensure(spec);
    runs.start(spec);
    runs.cluster.finish(runs.jobOf(spec));
    const later = runs.aBackend({ resultGraceSeconds: 0 });
    await untilOver(later, spec);
    const state = await later.find(spec);
    expect(state).toMatchObject({ ending: { kind: 'lost', infrastructure: true } });
    expect(JSON.stringify(state)).toContain('the same work volume');
    expect(runs.cluster.count('GET jobs')).toBeGreaterThan(0);
  });

  it.each([
    ['refused', { status: 403 } as const],
    ['answered with 500', { status: 500 } as const],
    ['cut', 'reset' as const],
    ['told that it is from the past', { status: 410, reason: 'Expired' } as const],
  ])('sees ends while every watch is %s', async (_what, failure) => {
    runs.cluster.trouble = ({ query }) => (query.watch === 'true' ? failure : undefined);
    const spec = runs.aSpec();
    const backend = runs.aBackend({
      api: { requestsPerSecond: 1000, burst: 1000, relistSeconds: 0.02, watch: true },
    });
    await backend.ensure(spec);
    runs.start(spec);
    runs.cluster.finish(runs.jobOf(spec), 1);
    await untilOver(backend, spec);
    expect(runs.cluster.count('WATCH jobs')).toBeLessThan(40);
  });

  it('continues watching after cuts and compactions', async () => {
    const backend = runs.aBackend();
    const changed = new Set<string>();
    backend.onChanged((name) => changed.add(name));
    for (let round = 0; round < 3; round += 1) {
      const spec = runs.aSpec();
      await backend.ensure(spec);
      runs.start(spec);
      if (round === 1) runs.cluster.objects.compact();
      runs.cluster.dropWatches();
      runs.publish(spec);
      runs.cluster.finish(runs.jobOf(spec));
      await eventually(`the end of round ${String(round)}`, () => changed.has(spec.name));
      expect(await backend.find(spec)).toMatchObject({ state: 'ended' });
    }
  });

  it('waits for a result that the file system shows late', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend({ resultGraceSeconds: 600 });
    await backend.ensure(spec);
    runs.start(spec);
    runs.cluster.finish(runs.jobOf(spec));
    await eventually('the end of the Job', () => runs.cluster.count('WATCH jobs') > 0);
    expect(await backend.find(spec)).toMatchObject({ state: 'running' });
    const changed: string[] = [];
    backend.onChanged((name) => changed.push(name));
    await backend.find(spec);
    runs.publish(spec, { exitCode: 3 });
    await eventually('a second look', () => changed.length > 0);
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { exitCode: 3 } });
  });

  it('reports a Job without a result, with the end of its log', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    runs.cluster.log = 'Refinement cycle 3\nsegmentation fault\n';
    await backend.ensure(spec);
    runs.start(spec);
    runs.cluster.finish(runs.jobOf(spec), 1);
    await untilOver(backend, spec);
    const state = await backend.find(spec);
    expect(state).toMatchObject({ ending: { kind: 'lost', infrastructure: true } });
    expect(JSON.stringify(state)).toContain('segmentation fault');
  });

  it('reports a deleted Job', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    await backend.ensure(spec);
    runs.start(spec);
    await eventually('the start', () => runs.cluster.count('WATCH jobs') > 0);
    runs.cluster.objects.remove('pods', `${runs.jobOf(spec)}-abcde`);
    runs.cluster.objects.remove('jobs', runs.jobOf(spec));
    await untilOver(backend, spec);
    expect(await backend.find(spec)).toMatchObject({ ending: { kind: 'job_deleted', infrastructure: true } });
  });

  it('deletes a Job that would resume after its run has ended', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    await backend.ensure(spec);
    runs.start(spec);
    runs.publish(spec, { kind: 'disrupted', infrastructure: true });
    runs.cluster.objects.remove('pods', `${runs.jobOf(spec)}-abcde`);
    runs.cluster.objects.change('jobs', runs.jobOf(spec), (job) => {
      job.spec.suspend = true;
    });
    await eventually('Kueue to be seen', () => runs.cluster.count('WATCH jobs') > 0);
    await untilOver(backend, spec);
    await eventually('the deletion', () => runs.cluster.objects.get('jobs', runs.jobOf(spec)) === undefined);
  });

  it("waits for the node's report of the pod, which comes after the result", async () => {
    const spec = runs.aSpec();
    await runs.aBackend().ensure(spec);
    runs.start(spec);
    runs.publish(spec, { kind: 'disrupted', infrastructure: true, endedAt: new Date().toISOString() });
    const backend = runs.aBackend(); // its first list has the pod
    expect(await backend.find(spec)).toMatchObject({ state: 'running' });
    runs.cluster.objects.change('pods', `${runs.jobOf(spec)}-abcde`, (pod) => {
      pod.status = { phase: 'Failed', reason: 'DeadlineExceeded' };
    });
    await untilOver(backend, spec);
    expect(await backend.find(spec)).toMatchObject({ ending: { kind: 'wall_clock_limit', infrastructure: false } });
  });

  it('gives up the wait for an optional GPU, and deletes its Job', async () => {
    const spec = runs.aSpec({ resources: { class: 'gpu', cpus: 1, mayFallBack: true } });
    const backend = runs.aBackend({ gpuWaitSeconds: 30 });
    await backend.ensure(spec);
    runs.cluster.addPod(
      runs.jobOf(spec),
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes have a GPU' }] },
      { node: '' },
    );
    runs.clock.forward(60_000);
    await untilOver(backend, spec);
    expect(await backend.find(spec)).toMatchObject({ ending: { kind: 'gpu_unavailable', infrastructure: true } });
    await eventually('the deletion', () => runs.cluster.objects.get('jobs', runs.jobOf(spec)) === undefined);
  });

  it('does not report a Job failed that Kueue suspends', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend({
      kueue: { queue: 'facility', priorityClass: 'live', priorityClasses: {}, queues: {} },
      pendingLimitSeconds: 0,
    });
    expect(await backend.ensure(spec)).toMatchObject({ state: 'waiting' });
    const job = runs.cluster.objects.get('jobs', runs.jobOf(spec));
    expect(job?.spec.suspend).toBe(true);
    expect(job?.metadata.labels).toMatchObject({
      'kueue.x-k8s.io/queue-name': 'facility',
      'kueue.x-k8s.io/priority-class': 'live',
    });
    runs.clock.forward(60_000);
    expect(await backend.find(spec)).toMatchObject({
      state: 'waiting',
      reason: expect.stringContaining('it is queued') as string,
    });
  });

  it('lists its runs, and forgets them on request', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    await backend.ensure(spec);
    const { name, owner } = spec;
    const { sessionId, cycle, attempt, proposal } = owner;
    expect(await backend.inventory.list()).toEqual([
      expect.objectContaining({ name, ended: false, owner: { sessionId, cycle, attempt, proposal } }),
    ]);
    await backend.inventory.remove(name);
    await backend.inventory.remove(name);
    expect(await backend.inventory.list()).toEqual([]);
  });

  it('reports a failed Job after its pod, because there may be no result', async () => {
    const backend = runs.aBackend();
    const spec = runs.aSpec();
    const job = runs.jobOf(spec);
    let changes = 0;
    backend.onChanged(() => (changes += 1));
    await backend.ensure(spec);
    runs.start(spec);
    await eventually('the start', () => changes === 1);
    runs.cluster.objects.change('pods', `${job}-abcde`, (pod) => {
      pod.status = { phase: 'Failed' };
    });
    await eventually('the end of the pod', () => changes === 2);
    runs.cluster.objects.change('jobs', job, (object) => {
      object.status = { failed: 1, conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] };
    });
    await eventually('the end of the Job', () => changes === 3);
  });
});
