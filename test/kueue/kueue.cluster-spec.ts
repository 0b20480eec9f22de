import type { Priority } from '@fleet/contracts/launches';
import type { RunSpec } from '@fleet/contracts/runs';
import { readResult } from '@fleet/attempt-runner';
import type { KubernetesBackend, KubernetesSettings } from '@fleet/kubernetes-backend';
import type { RunState } from '@fleet/ports';
import { join } from 'node:path';
import { StandInKubelet, type Launch } from '../cluster-chaos/stand-in-kubelet';
import { cluster, ClusterGround } from '../cluster-e2e/cluster-ground';
import { maxAtOnce } from '../cluster-e2e/max-at-once';
import { jobOf, nextStep, RealRuns, type SpecChange } from '../cluster-e2e/real-runs';
import { KueueQueues, plenty } from './kueue-queues';

const fakeNode = {
  nodeSelector: { type: 'kwok' },
  tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists' as const }],
  resources: {},
  maxRunning: 0,
};
const classes: KubernetesSettings['classes'] = {
  cpu: fakeNode,
  gpu: {
    ...fakeNode,
    nodeSelector: { 'nvidia.com/gpu.present': 'true' },
    resources: { 'nvidia.com/gpu': '1' },
  },
};
/** How long programs run, in milliseconds: `endless` ones until they are ended. */
const short = 200;
const endless = 600_000;
const withoutKueue: KubernetesSettings['kueue'] = {
  queue: '',
  priorityClass: '',
  priorityClasses: {},
  queues: {},
};

/** Parts that `scripts/cluster.mjs remove` takes away again. */
const partsOnDemand = ['kueue', 'kwok'];

/**
 * The backend with the real Kueue, and the same without it. Programs are stand-ins on kwok's nodes (SIMULATED); queues, quotas,
 * admission and pre-emption are Kueue's own.
 * @needs cluster-parts @needs cluster-tools
 */
describe('runs on a cluster', () => {
  let ground: ClusterGround;
  let runs: RealRuns;
  let kubelets: readonly StandInKubelet[] = [];
  let partsBefore: readonly string[];

  beforeAll(async () => {
    const { parts } = JSON.parse(await cluster('status', '--json')) as { parts: Record<string, unknown> };
    partsBefore = Object.keys(parts);
    await cluster('nodes', '2');
    await cluster('nodes', '1', '--gpus', '2');
    ground = await ClusterGround.start('kueue');
    runs = new RealRuns(ground);
  });
  afterEach(async () => {
    await Promise.all(kubelets.map((kubelet) => kubelet.stop()));
    expect(kubelets.flatMap(({ failures }) => failures)).toEqual([]);
    kubelets = [];
  });
  afterAll(async () => {
    await runs.end();
    const last = play();
    await ground.end();
    await last.stop();
    const ours = partsOnDemand.filter((part) => !partsBefore.includes(part));
    if (ours.length > 0) await cluster('remove', ...ours);
  });

  /** From now on programs start in the pods; each runs for as long as `durations` (milliseconds, the same twice) says at its start. */
  const play = (durations: [number, number] = [short, short]): StandInKubelet => {
    const { kubeconfig, namespace } = ground;
    const kubelet = new StandInKubelet({ kubeconfig, namespace, programMs: durations, endsWithPod: true });
    kubelets = [...kubelets, kubelet];
    return kubelet;
  };

  const aBackend = (kueue: Partial<KubernetesSettings['kueue']> = {}, relistSeconds = 5): KubernetesBackend =>
    runs.aBackend({
      classes,
      kueue: { ...withoutKueue, ...kueue },
      api: { requestsPerSecond: 100, burst: 200, relistSeconds, watch: true },
      resultGraceSeconds: 1,
    });
  const aSpec = (change: SpecChange = {}): RunSpec =>
    runs.aSpec('true', { resources: { class: 'cpu', cpus: 1, mayFallBack: false }, ...change });
  const nextAttempt = (spec: RunSpec): RunSpec => ({
    ...spec,
    name: spec.name.replace(/a1$/, 'a2'),
    attemptFolder: spec.attemptFolder.replace(/a1$/, 'a2'),
    owner: { ...spec.owner, attempt: 2 },
  });
  const folderOf = ({ sessionFolder, attemptFolder }: RunSpec): string => join(sessionFolder, attemptFolder);
  const launchesOf = (kubelet: StandInKubelet, spec: RunSpec): readonly Launch[] =>
    kubelet.launches.filter(({ folder }) => folder === folderOf(spec));
  const launched = (kubelet: StandInKubelet, spec: RunSpec): Promise<Launch> =>
    ground.until(`the program of ${spec.name}`, () => Promise.resolve(launchesOf(kubelet, spec)[0]));

  const isThere = async (spec: RunSpec): Promise<boolean> =>
    (await ground.get('jobs', `--field-selector=metadata.name=${jobOf(spec)}`)).length > 0;
  const untilState = (backend: KubernetesBackend, spec: RunSpec, matches: (state: RunState) => boolean, what: string) =>
    ground.until(`${spec.name} ${what}`, async () => {
      const state = await backend.ensure(spec);
      return matches(state) ? state : undefined;
    });
  const queuedOnBackend = (state: RunState): boolean =>
    state.state === 'waiting' && /^it is queued: /.test(state.reason);
  const isRunning = ({ state }: RunState): boolean => state === 'running';
  const itsOwnEnd = { kind: 'exited', infrastructure: false };

  /** What holds with Kueue and without it. */
  const behavesAsEver = (settings: Partial<KubernetesSettings['kueue']>): void => {
    it('finish once each, however many executors request them', async () => {
      const kubelet = play();
      const backends = [aBackend(settings), aBackend(settings)];
      const specs = [aSpec(), aSpec(), aSpec()];
      await Promise.all(backends.flatMap((backend) => specs.map((spec) => backend.ensure(spec))));
      for (const spec of specs) expect(await runs.endOf(aBackend(settings), spec)).toMatchObject(itsOwnEnd);
      expect(kubelet.launches.map(({ folder }) => folder).sort()).toEqual(specs.map(folderOf).sort());
    });

    it('get a GPU node if they request one', async () => {
      const kubelet = play();
      const backend = aBackend(settings);
      const spec = aSpec({ resources: { class: 'gpu', cpus: 1, mayFallBack: false } });
      expect(await runs.endOf(backend, spec)).toMatchObject(itsOwnEnd);
      expect(launchesOf(kubelet, spec)).toMatchObject([{ node: 'fake-gpu2-1' }]);
    });

    it('leave no Job and no pod when they are cancelled', async () => {
      const kubelet = play([endless, endless]);
      const backend = aBackend(settings);
      const spec = aSpec();
      await backend.ensure(spec);
      await launched(kubelet, spec);
      await backend.cancel(spec);
      expect(await ground.podsOf(jobOf(spec))).toEqual([]);
      expect(await backend.find(spec)).toMatchObject({ state: 'ended' });
      await ground.until('the deletion', async () => ((await isThere(spec)) ? undefined : true));
    });

    it('start after their first pod was removed', async () => {
      const backend = aBackend(settings);
      const spec = aSpec();
      await untilState(backend, spec, isRunning, 'has a pod');
      await ground.evict((await ground.podOf(jobOf(spec))).metadata.name);
      const kubelet = play();
      expect(await runs.endOf(backend, spec)).toMatchObject(itsOwnEnd);
      expect(launchesOf(kubelet, spec)).toHaveLength(1);
    });
  };

  describe('without Kueue', () => {
    behavesAsEver(withoutKueue);
  });

  describe('with Kueue', () => {
    let queues: KueueQueues;
    const priorities = { low: '', middle: '', high: '' };
    beforeAll(async () => {
      await cluster('start', 'kueue');
      queues = new KueueQueues(ground);
      await queues.add('wide', plenty);
      await queues.add('gpus', { ...plenty, 'nvidia.com/gpu': '1' });
      priorities.low = await queues.addPriority('low', 10);
      priorities.middle = await queues.addPriority('middle', 100);
      priorities.high = await queues.addPriority('high', 1_000);
    });

    behavesAsEver({ queue: 'wide', queues: { gpu: 'gpus' } });

    it('wait without a pod until their queue admits them', async () => {
      await queues.add('held', plenty, true);
      const kubelet = play();
      const backend = aBackend({ queue: 'held', priorityClass: priorities.low });
      const spec = aSpec();
      await untilState(backend, spec, queuedOnBackend, 'is in line');
      const [job] = await ground.get('jobs', `--field-selector=metadata.name=${jobOf(spec)}`);
      expect(job).toMatchObject({ spec: { suspend: true } });
      expect(job?.metadata.labels).toMatchObject({
        'kueue.x-k8s.io/queue-name': 'held',
        'kueue.x-k8s.io/priority-class': priorities.low,
      });
      for (let look = 0; look < 10; look += 1)
        expect(queuedOnBackend((await aBackend().find(spec)) as RunState)).toBe(true);
      expect(await ground.podsOf(jobOf(spec))).toEqual([]);
      await queues.open('held');
      expect(await runs.endOf(backend, spec)).toMatchObject(itsOwnEnd);
      expect(launchesOf(kubelet, spec)).toHaveLength(1);
    });

    /** A run of a session of that priority, which Kueue has in its queue with that value. */
    const queuedOf = async (backend: KubernetesBackend, priority: Priority, value: number): Promise<RunSpec> => {
      const spec = aSpec();
      const run = { ...spec, owner: { ...spec.owner, priority } };
      await untilState(backend, run, queuedOnBackend, 'is in line');
      await ground.until(`Kueue has ${run.name} in line with priority ${String(value)}`, async () => {
        const workloads = await ground.get('workloads.kueue.x-k8s.io');
        const its = workloads.find(({ metadata }) => metadata.name.startsWith(`job-${jobOf(run)}-`));
        return its?.spec.priority === value ? true : undefined;
      });
      return run;
    };

    it('are admitted by priority, not by arrival', async () => {
      await queues.add('ranks', { ...plenty, cpu: '1' }, true);
      const kubelet = play();
      const priorityClasses = { live: priorities.high, backfill: priorities.low };
      const backend = aBackend({ queue: 'ranks', priorityClass: priorities.middle, priorityClasses });
      const backfill = await queuedOf(backend, 'backfill', 10);
      const standard = await queuedOf(backend, 'standard', 100);
      const live = await queuedOf(backend, 'live', 1_000);
      await queues.open('ranks');
      for (const spec of [live, standard, backfill]) expect(await runs.endOf(backend, spec)).toMatchObject(itsOwnEnd);
      expect(kubelet.launches.map(({ folder }) => folder)).toEqual([live, standard, backfill].map(folderOf));
    });

    it('never exceed the quota, and all finish', async () => {
      await queues.add('two', { ...plenty, cpu: '2' });
      play([700, 700]);
      const backend = aBackend({ queue: 'two' });
      const specs = Array.from({ length: 6 }, () => aSpec());
      await Promise.all(specs.map((spec) => backend.ensure(spec)));
      for (const spec of specs) expect(await runs.endOf(backend, spec)).toMatchObject(itsOwnEnd);
      expect(maxAtOnce(specs.map((spec) => readResult(folderOf(spec))))).toBe(2);
    });

    /** A run of low priority that has the only place of a queue, and one of high priority that comes for it. */
    const rivals = async (name: string, isStarted: (low: RunSpec) => Promise<unknown>) => {
      await queues.add(name, { ...plenty, cpu: '1' });
      const backends = {
        low: aBackend({ queue: name, priorityClass: priorities.low }),
        high: aBackend({ queue: name, priorityClass: priorities.high }),
      };
      const specs = { low: aSpec(), high: aSpec() };
      await untilState(backends.low, specs.low, isRunning, 'has a pod');
      await isStarted(specs.low);
      await backends.high.ensure(specs.high);
      return { backends, specs };
    };

    it('are preempted by higher priority: the attempt ends as disrupted, and the next one finishes', async () => {
      const durations: [number, number] = [endless, endless];
      const kubelet = play(durations);
      const { backends, specs } = await rivals('claimed', async (low) => {
        await launched(kubelet, low);
        durations.fill(short);
      });
      const ending = await runs.endOf(backends.low, specs.low);
      expect(ending).toMatchObject({
        kind: 'disrupted',
        infrastructure: true,
        message: 'phenix.refine was ended because Kueue pre-empted it for other work.',
        nextAction: 'It is queued again.',
      });
      expect(nextStep(ending)).toMatchObject({ then: 'again' });
      await ground.until('the deletion', async () => ((await isThere(specs.low)) ? undefined : true));
      const second = nextAttempt(specs.low);
      expect(await backends.low.ensure(second)).toMatchObject({ state: 'waiting' });
      expect(await runs.endOf(backends.high, specs.high)).toMatchObject(itsOwnEnd);
      expect(await runs.endOf(backends.low, second)).toMatchObject(itsOwnEnd);
      for (const spec of [specs.low, specs.high, second]) expect(launchesOf(kubelet, spec)).toHaveLength(1);
    });

    it('resume the same attempt if preempted before the program started', async () => {
      const { backends, specs } = await rivals('unclaimed', () => Promise.resolve());
      await untilState(backends.low, specs.low, queuedOnBackend, 'is in line again');
      const kubelet = play();
      expect(await runs.endOf(backends.high, specs.high)).toMatchObject(itsOwnEnd);
      expect(await runs.endOf(backends.low, specs.low)).toMatchObject(itsOwnEnd);
      for (const spec of [specs.low, specs.high]) expect(launchesOf(kubelet, spec)).toHaveLength(1);
    });

    it('are not restarted if the pod vanished and Kueue resumes the Job', async () => {
      const durations: [number, number] = [endless, endless];
      const kubelet = play(durations);
      let node = '';
      const { backends, specs } = await rivals('silent', async (low) => {
        ({ node } = await launched(kubelet, low));
        kubelet.loseNode(node);
        durations.fill(short);
      });
      await ground.until('the pod is gone', async () =>
        (await ground.podsOf(jobOf(specs.low))).length === 0 ? true : undefined,
      );
      kubelet.returnNode(node);
      expect(await runs.endOf(backends.high, specs.high)).toMatchObject(itsOwnEnd);
      const ending = await runs.endOf(backends.low, specs.low);
      expect(ending).toMatchObject({ kind: 'lost', infrastructure: true });
      expect(nextStep(ending)).toMatchObject({ then: 'again' });
      for (const spec of [specs.low, specs.high]) expect(launchesOf(kubelet, spec)).toHaveLength(1);
    });

    it('are cancelled while queued', async () => {
      await queues.add('closed', plenty, true);
      const backend = aBackend({ queue: 'closed' });
      const spec = aSpec();
      await untilState(backend, spec, queuedOnBackend, 'is in line');
      await backend.cancel(spec);
      expect(await backend.ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
      await ground.until('the deletion', async () => ((await isThere(spec)) ? undefined : true));
      expect(await ground.podsOf(jobOf(spec))).toEqual([]);
    });

    it('are created when Kueue is back', async () => {
      const kubelet = play();
      const backend = aBackend({ queue: 'wide' });
      const spec = aSpec();
      await backend.find(spec);
      await cluster('stop', 'kueue');
      const creation = backend.ensure(spec);
      await cluster('start', 'kueue');
      expect(await creation).toMatchObject({ state: 'waiting' });
      expect(await runs.endOf(backend, spec)).toMatchObject(itsOwnEnd);
      expect(launchesOf(kubelet, spec)).toHaveLength(1);
    });
  });
});
