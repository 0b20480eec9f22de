import { isFault } from '@fleet/contracts/faults';
import type { RunSpec } from '@fleet/contracts/runs';
import { eventually } from '@fleet/testing';
import { ClusterRuns } from './cluster-runs';

describe('cancelling a run on the cluster', () => {
  let runs: ClusterRuns;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
  });
  afterEach(() => runs.dispose());

  const deleted = (spec: RunSpec): Promise<true> => eventually('the deletion', () => runs.isDeleted(spec));
  /** How often the server was queried for the pods of one Job. */
  const podQueries = (): number =>
    runs.cluster.requests.filter(({ query }) => query.labelSelector?.includes('job-name=')).length;

  it('is complete only when no pod is left', async () => {
    const spec = runs.aSpec();
    const job = runs.jobOf(spec);
    const backend = runs.aBackend();
    await backend.ensure(spec);
    runs.start(spec);
    let done = false;
    const cancelling = backend.cancel(spec).then(() => {
      done = true;
    });
    await deleted(spec);
    await eventually('three confirmations that its pod is there', () => podQueries() >= 3);
    expect(done).toBe(false);
    runs.publish(spec, { kind: 'cancelled' });
    runs.cluster.objects.remove('pods', `${job}-abcde`);
    await cancelling;
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
  });

  it('closes the run itself if the pod ended without a report', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    await backend.ensure(spec);
    runs.start(spec);
    const cancelling = backend.cancel(spec);
    await deleted(spec);
    runs.cluster.objects.remove('pods', `${runs.jobOf(spec)}-abcde`);
    await cancelling;
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
  });

  it('prevents the start of a program whose pod is being prepared', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    await backend.ensure(spec);
    runs.cluster.addPod(runs.jobOf(spec), { phase: 'Pending' });
    const cancelling = backend.cancel(spec);
    await deleted(spec);
    expect(() => runs.claim(spec)).toThrow('claimed');
    runs.cluster.objects.remove('pods', `${runs.jobOf(spec)}-abcde`);
    await cancelling;
  });

  it('is retried while a pod does not end', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend({}, { pace: { cancelMs: 100 } });
    await backend.ensure(spec);
    runs.start(spec);
    const error: unknown = await backend.cancel(spec).catch((reason: unknown) => reason);
    expect(isFault(error) && [error.code, error.kind]).toEqual(['run.cancel_failed', 'transient']);
    runs.cluster.objects.remove('pods', `${runs.jobOf(spec)}-abcde`);
    await runs.aBackend().cancel(spec);
  });

  it('leaves an ended run unchanged', async () => {
    const spec = runs.aSpec();
    const backend = runs.aBackend();
    await backend.ensure(spec);
    runs.start(spec);
    runs.publish(spec);
    runs.cluster.finish(runs.jobOf(spec));
    await eventually('the end', () => runs.cluster.count('WATCH jobs') > 0);
    await backend.cancel(spec);
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'exited' } });
  });
});
