import { isFault } from '@fleet/contracts/faults';
import type { RunSpec } from '@fleet/contracts/runs';
import type { KubernetesSettings } from '@fleet/kubernetes-backend';
import type { RunState } from '@fleet/ports';
import { ClusterGround } from '../cluster-e2e/cluster-ground';
import { jobOf, RealRuns } from '../cluster-e2e/real-runs';

/** Nodes that no cluster has: pods stay where the API server and the scheduler have put them, and no image is needed. */
const nowhere = { nodeSelector: { 'phenix-fleet.io/test': 'nowhere' }, tolerations: [], resources: {}, maxRunning: 0 };
const classes: KubernetesSettings['classes'] = {
  cpu: nowhere,
  gpu: { ...nowhere, resources: { 'nvidia.com/gpu': '1' } },
};

/**
 * What only a real API server knows: whether it takes our objects, and what it makes of them.
 * @needs cluster @needs cluster-tools
 */
describe('the backend with a real API server', () => {
  let ground: ClusterGround;
  let runs: RealRuns;
  beforeAll(async () => {
    ground = await ClusterGround.start('real-api');
    runs = new RealRuns(ground);
  });
  afterAll(async () => {
    await runs.end();
    await ground.end();
  });

  const aBackend = (more: Partial<KubernetesSettings> = {}) => runs.aBackend({ classes, ...more });
  const rawJob = async (spec: RunSpec) =>
    JSON.parse(await ground.kubectl('get', 'job', jobOf(spec), '--output=json')) as {
      spec: { template: { spec: object } };
    };
  const becauseOf = (state: RunState | undefined): string => (state?.state === 'waiting' ? state.reason : '');

  it('makes pods that a namespace with Pod Security "restricted" admits', async () => {
    const spec = runs.aSpec('true');
    await aBackend().ensure(spec);
    const { template } = (await rawJob(spec)).spec;
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'probe' }, spec: template.spec };
    expect(await ground.dryRun(pod)).toContain('pod/probe created');
    const privileged = { ...pod, spec: { ...template.spec, hostNetwork: true } };
    await expect(ground.dryRun(privileged)).rejects.toThrow(/violates PodSecurity/);
  });

  it("adopts its own Job with the API server's defaults, and refuses another command", async () => {
    const spec = runs.aSpec('true');
    await aBackend().ensure(spec);
    expect(await aBackend().ensure(spec)).toMatchObject({ state: 'waiting' });
    const other = aBackend().ensure({ ...spec, argv: ['/bin/false'] });
    expect(await other.catch((error: unknown) => isFault(error) && error.code)).toBe('run.spec_conflict');
    expect(await ground.podsOf(jobOf(spec))).toHaveLength(1);
  });

  it('quotes the scheduler while no node fits', async () => {
    const spec = runs.aSpec('true');
    const backend = aBackend();
    await backend.ensure(spec);
    const reason = await ground.until('the word of the scheduler', async () => {
      const reason = becauseOf(await backend.find(spec));
      return reason.includes('nodes are available') ? reason : undefined;
    });
    expect(reason).toMatch(/^no node can run it at the moment: /);
  });

  it.each([
    ['seen by the watch', true],
    ['seen by lists alone', false],
  ])('ends a cancelled run when its pods are gone, %s', async (_what, watch) => {
    const spec = runs.aSpec('true');
    const backend = aBackend({ api: { requestsPerSecond: 20, burst: 50, relistSeconds: 1, watch } });
    await backend.ensure(spec);
    await ground.until('the pod', async () => (await ground.podsOf(jobOf(spec)))[0]);
    await backend.cancel(spec);
    expect(await ground.podsOf(jobOf(spec))).toEqual([]);
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
    expect(await aBackend().ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
    expect(await ground.get('jobs', `--field-selector=metadata.name=${jobOf(spec)}`)).toEqual([]);
  });

  it('gives up on an unavailable GPU, and deletes the waiting Job', async () => {
    const spec = runs.aSpec('true', { resources: { class: 'gpu', cpus: 0.01, mayFallBack: true } });
    const backend = aBackend({ gpuWaitSeconds: 2 });
    await backend.ensure(spec);
    const ending = await runs.endOf(backend, spec);
    expect(ending).toMatchObject({ kind: 'gpu_unavailable', infrastructure: true });
    await ground.until('the deletion', async () =>
      (await ground.get('jobs', `--field-selector=metadata.name=${jobOf(spec)}`)).length === 0 ? true : undefined,
    );
  });

  it('lists its own runs only', async () => {
    const mine = runs.aSpec('true');
    const theirs = runs.aSpec('true');
    const neighbour = aBackend({ installation: 'neighbour' });
    await aBackend().ensure(mine);
    await neighbour.ensure(theirs);
    expect((await neighbour.inventory.list()).map(({ name }) => name)).toEqual([theirs.name]);
    await neighbour.inventory.remove(theirs.name);
    await neighbour.inventory.remove(theirs.name);
    expect(await neighbour.inventory.list()).toEqual([]);
    expect((await aBackend().inventory.list()).map(({ name }) => name)).toContain(mine.name);
  });

  it("reports why a Job gets no pod, in the cluster's words", async () => {
    await ground.kubectl('create', 'quota', 'no-pods', '--hard=pods=0');
    try {
      const spec = runs.aSpec('true');
      const backend = aBackend();
      await backend.ensure(spec);
      const reason = await ground.until('the reason', async () => {
        const reason = becauseOf(await backend.find(spec));
        return reason.includes('quota') ? reason : undefined;
      });
      expect(reason).toMatch(/does not create a pod for it: .*exceeded quota: no-pods/);
    } finally {
      await ground.kubectl('delete', 'quota', 'no-pods');
    }
  });

  it('waits if no further Job is allowed', async () => {
    await ground.kubectl('create', 'quota', 'no-jobs', '--hard=count/jobs.batch=0');
    try {
      const state = await aBackend().ensure(runs.aSpec('true'));
      expect(becauseOf(state)).toMatch(/quota of the namespace is used up: .*no-jobs/);
    } finally {
      await ground.kubectl('delete', 'quota', 'no-jobs');
    }
  });

  it('keeps a suspended Job queued as long as the queue does', async () => {
    const spec = runs.aSpec('true');
    // Kueue itself need not be there: whoever made the Job suspended waits for whoever lets it go.
    const kueue = { queue: 'nobodys', priorityClass: '', priorityClasses: {}, queues: {} };
    const backend = aBackend({ kueue, pendingLimitSeconds: 60 });
    expect(becauseOf(await backend.ensure(spec))).toContain('it is queued');
    expect((await rawJob(spec)).spec).toMatchObject({ suspend: true });
    expect(becauseOf(await backend.find(spec))).toContain('it is queued');
  });
});
