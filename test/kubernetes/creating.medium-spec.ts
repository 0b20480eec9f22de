import { claimForCancel } from '@fleet/attempt-runner';
import { isFault } from '@fleet/contracts/faults';
import { eventually } from '@fleet/testing';
import { ClusterRuns } from './cluster-runs';

describe('creating the Job of a run', () => {
  let runs: ClusterRuns;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
  });
  afterEach(() => runs.dispose());

  const codeOf = async (work: Promise<unknown>): Promise<string | undefined> =>
    work.then(
      () => undefined,
      (error: unknown) => (isFault(error) ? error.code : String(error)),
    );

  it('creates one Job, however many executors request it how often', async () => {
    const spec = runs.aSpec();
    const backends = [runs.aBackend(), runs.aBackend(), runs.aBackend()];
    await Promise.all(backends.flatMap((backend) => [backend.ensure(spec), backend.ensure(spec)]));
    expect(runs.cluster.objects.list('jobs', '').map(({ metadata }) => metadata.name)).toEqual([runs.jobOf(spec)]);
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'waiting' });
  });

  it('refuses a run of the same name with another command', async () => {
    const spec = runs.aSpec();
    await runs.aBackend().ensure(spec);
    const other = { ...spec, argv: [...spec.argv, 'cycles=5'] };
    expect(await codeOf(runs.aBackend().ensure(other))).toBe('run.spec_conflict');
  });

  it('refuses a Job of that name from another creator', async () => {
    const spec = runs.aSpec();
    runs.cluster.objects.add('jobs', { metadata: { name: runs.jobOf(spec) } });
    expect(await codeOf(runs.aBackend().ensure(spec))).toBe('run.spec_conflict');
  });

  it('recognises its Job without annotations', async () => {
    const spec = runs.aSpec();
    await runs.aBackend().ensure(spec);
    runs.cluster.objects.change('jobs', runs.jobOf(spec), ({ metadata }) => {
      metadata.annotations = {};
    });
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'waiting' });
    const other = { ...spec, argv: [...spec.argv, 'cycles=5'] };
    expect(await codeOf(runs.aBackend().ensure(other))).toBe('run.spec_conflict');
  });

  it('adopts the Job after a connection loss during its creation', async () => {
    const spec = runs.aSpec();
    let dropped = 0;
    runs.cluster.trouble = ({ method }) => {
      if (method !== 'POST' || dropped > 0) return undefined;
      dropped += 1;
      return 'drop_after';
    };
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'waiting' });
    expect(dropped).toBe(1);
    expect(runs.cluster.objects.list('jobs', '')).toHaveLength(1);
  });

  it('creates nothing for a cancelled run', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    await backend.cancel(spec);
    expect(await backend.ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
    expect(runs.cluster.count('POST jobs')).toBe(0);
  });

  it('reads the result of a run whose Job no longer exists', async () => {
    const spec = runs.aSpec();
    await runs.aBackend().ensure(spec);
    runs.claim(spec);
    runs.publish(spec);
    runs.cluster.objects.remove('jobs', runs.jobOf(spec));
    const later = runs.aBackend();
    expect(await later.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'exited', exitCode: 0 } });
    expect(await later.ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'exited', exitCode: 0 } });
    expect(runs.cluster.count('POST jobs')).toBe(1);
  });

  it('reports an unknown run as unknown', async () => {
    expect(await runs.aBackend().find(runs.aSpec())).toBeUndefined();
  });

  it("waits while the namespace quota is used up, with the cluster's message", async () => {
    const spec = runs.aSpec();
    runs.cluster.trouble = ({ method }) =>
      method === 'POST' ? { status: 403, reason: 'Forbidden', message: 'exceeded quota: jobs=10' } : undefined;
    const state = await runs.aBackend().ensure(spec);
    expect(state).toMatchObject({ state: 'waiting' });
    expect(JSON.stringify(state)).toContain('exceeded quota');
  });

  it('does not adopt a Job that is being deleted', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    await backend.ensure(spec);
    runs.cluster.runPod(runs.jobOf(spec));
    runs.cluster.objects.change('jobs', runs.jobOf(spec), (job) => {
      job.metadata.deletionTimestamp = new Date().toISOString();
    });
    runs.cluster.objects.change('pods', `${runs.jobOf(spec)}-abcde`, (pod) => {
      pod.status = { phase: 'Failed' };
    });
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'job_deleted' } });
  });

  it('creates no second Job if the first is deleted before its program starts', async () => {
    const spec = runs.aSpec();
    await runs.aBackend().ensure(spec);
    runs.cluster.objects.remove('jobs', runs.jobOf(spec));
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'job_deleted' } });
    expect(runs.cluster.count('POST jobs')).toBe(1);
  });

  it('reports the outcome of a run whose executor died during its removal', async () => {
    const spec = runs.aSpec();
    await runs.aBackend().ensure(spec);
    runs.cluster.objects.remove('jobs', runs.jobOf(spec));
    claimForCancel(spec, Date.now() - 60_000);
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'job_deleted' } });
  });

  it('creates the Job of a run that a dead executor had prepared', async () => {
    const spec = runs.aSpec();
    runs.cluster.trouble = ({ method }) =>
      method === 'POST' ? { status: 403, reason: 'Forbidden', message: 'exceeded quota: jobs=10' } : undefined;
    await runs.aBackend().ensure(spec);
    runs.cluster.trouble = () => undefined;
    await runs.aBackend().ensure(spec);
    expect(runs.cluster.objects.list('jobs', '')).toHaveLength(1);
  });

  it('distinguishes a prepared run from one with a deleted Job', async () => {
    const spec = runs.aSpec();
    runs.cluster.trouble = ({ method }) =>
      method === 'POST' ? { status: 403, reason: 'Forbidden', message: 'exceeded quota: jobs=10' } : undefined;
    await runs.aBackend().ensure(spec);
    runs.cluster.trouble = () => undefined;
    expect(await runs.aBackend().find(spec)).toBeUndefined();
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'waiting', queuedOnBackend: true });
  });

  it('lets a run wait, with the reason, while the namespace is missing', async () => {
    const spec = runs.aSpec();
    runs.cluster.trouble = ({ method }) =>
      method === 'POST' ? { status: 404, reason: 'NotFound', message: 'namespaces "fleet-jobs" not found' } : undefined;
    await expect(runs.aBackend().ensure(spec)).rejects.toMatchObject({
      code: 'cluster.namespace_missing',
      kind: 'transient',
      message: expect.stringContaining('namespaces "fleet-jobs" not found') as string,
    });
    runs.cluster.trouble = () => undefined;
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'waiting', queuedOnBackend: true });
  });

  it('reports the missing permission if listing is forbidden', async () => {
    runs.cluster.trouble = ({ path, query }) =>
      path.endsWith('/pods') && query.watch !== 'true'
        ? { status: 403, reason: 'Forbidden', message: 'pods is forbidden: cannot list resource "pods"' }
        : undefined;
    const backend = runs.aBackend({}, { pace: { firstListsMs: 5 } });
    const spec = runs.aSpec();
    await eventually('the reason', async () => {
      const error: unknown = await backend.ensure(spec).catch((reason: unknown) => reason);
      if (!isFault(error)) throw error;
      expect(error.code).toBe('cluster.unreachable');
      return error.message.includes('cannot list resource "pods"');
    });
  });
});
