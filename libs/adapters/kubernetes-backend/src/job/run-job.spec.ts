import type { RunSpec } from '@fleet/contracts/runs';
import { specHash } from '@fleet/attempt-runner';
import type { KubernetesSettings } from '../settings/kubernetes-settings';
import { parseKubernetesSettings } from '../settings/load-kubernetes-settings';
import { runJob } from './run-job';

const settingsOf = (changes: object = {}): KubernetesSettings =>
  parseKubernetesSettings(
    JSON.stringify({
      namespace: 'fleet-jobs',
      installation: 'fleet',
      sources: [
        {
          name: 'phenix',
          image: 'registry/phenix:2.0',
          gpuImage: 'registry/phenix-gpu:2.0',
          runner: 'copied',
          phenixDir: '/opt/phenix',
        },
        { name: 'open-phenix', image: 'open-phenix:1' },
      ],
      runnerImage: 'runner:1',
      volumes: {
        work: { mountPath: '/work', claim: 'fleet-jobs-work', subPath: 'fleet' },
        data: [{ mountPath: '/data', nfs: { server: 'files', path: '/export/data' } }],
        software: [{ mountPath: '/software', hostPath: '/software' }],
      },
      classes: {
        cpu: {},
        gpu: {
          nodeSelector: { accelerator: 'nvidia' },
          tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
          runtimeClassName: 'nvidia',
          priorityClassName: 'beamtime',
          resources: { 'nvidia.com/gpu': '1' },
        },
      },
      identity: { fleetGid: 10_000, default: { uid: 10_001, gid: 10_001 } },
      ...changes,
    }),
    'the settings of this test',
  );

const spec: RunSpec = {
  name: '01hzy3v7k8w9x0y1z2a3b4c5d6-c003-a1',
  sessionFolder: '/work/mx1234/01hzy3v7k8w9x0y1z2a3b4c5d6',
  attemptFolder: 'c003-refine/a1',
  program: 'phenix.refine',
  argv: ['/opt/phenix/bin/phenix.refine', 'a model; rm -rf $HOME.pdb'],
  source: 'phenix',
  owner: {
    sessionId: '01hzy3v7k8w9x0y1z2a3b4c5d6',
    cycle: 3,
    attempt: 1,
    proposal: 'MX 1234/é',
    beamline: 'i04',
    priority: 'standard',
  },
  resources: { class: 'cpu', cpus: 2, mayFallBack: false },
  limits: { wallClock: 3_600, memoryMiB: 4_096, outputBytes: 1_000_000 },
};
const identity = { uid: 20_001, gid: 20_002, supplementalGroups: [30_001] };
const jobOf = (changes: Partial<RunSpec> = {}, settings = settingsOf()) => {
  const changed = { ...spec, ...changes };
  return runJob(changed, specHash(changed), identity, settings);
};
const podOf = (...given: Parameters<typeof jobOf>) => jobOf(...given).spec!.template.spec!;

describe('the Job of a run', () => {
  it('matches this manifest', () => {
    expect(jobOf()).toMatchSnapshot();
  });

  it('is reproducible', () => {
    expect(JSON.stringify(jobOf())).toBe(JSON.stringify(jobOf()));
  });

  it('contains only two paths of the command, however long it is', () => {
    const argv = ['/opt/phenix/bin/phenix.refine', ...Array.from({ length: 5_000 }, (_, n) => `parameter_${n}=${n}`)];
    const text = JSON.stringify(jobOf({ argv }));
    expect(text).not.toContain('parameter_1');
    expect(text).not.toContain('rm -rf');
    expect(Buffer.byteLength(text)).toBeLessThan(16 * 1024);
    expect(podOf().containers[0]!.args!.slice(-2)).toEqual([
      '/work/mx1234/01hzy3v7k8w9x0y1z2a3b4c5d6/c003-refine/a1.running',
      '/work/mx1234/01hzy3v7k8w9x0y1z2a3b4c5d6/c003-refine/a1',
    ]);
  });

  it("sees only its session's folder of the work volume, and cannot write to data or software", () => {
    const [container] = podOf().containers;
    const writable = container!.volumeMounts!.filter(({ readOnly }) => readOnly !== true);
    expect(writable).toEqual([
      { name: 'work', mountPath: spec.sessionFolder, subPath: 'fleet/mx1234/01hzy3v7k8w9x0y1z2a3b4c5d6' },
      { name: 'tmp', mountPath: '/tmp' },
    ]);
    expect(container!.volumeMounts!.map(({ mountPath }) => mountPath)).toEqual(
      expect.arrayContaining(['/data', '/software']),
    );
  });

  it.each(['/elsewhere/mx1/s', '/work', '/work/../etc', '/workshop/mx1/s'])(
    'rejects a session folder outside the work volume: %s',
    (sessionFolder) => {
      expect(() => jobOf({ sessionFolder })).toThrow('is not below /work');
    },
  );

  it('uses GPU nodes and their image only if its class is gpu', () => {
    const pod = podOf({ resources: { class: 'gpu', cpus: 4, mayFallBack: true } });
    expect(pod).toMatchObject({
      nodeSelector: { accelerator: 'nvidia' },
      tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
      runtimeClassName: 'nvidia',
      priorityClassName: 'beamtime',
      containers: [
        {
          image: 'registry/phenix-gpu:2.0',
          resources: { requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } },
        },
      ],
    });
    expect(JSON.stringify(podOf())).not.toContain('nvidia');
    expect(podOf()).not.toHaveProperty('priorityClassName');
  });

  it('copies the runner only into images that lack it', () => {
    expect(podOf().initContainers).toHaveLength(1);
    expect(podOf({ source: 'open-phenix' }).initContainers).toBeUndefined();
  });

  it('is suspended and queued with Kueue, and plain without', () => {
    const kueue = { queue: 'all', priorityClass: 'live', queues: { gpu: 'gpus' } };
    const gpu = jobOf({ resources: { class: 'gpu', cpus: 1, mayFallBack: false } }, settingsOf({ kueue }));
    expect(gpu.spec!.suspend).toBe(true);
    expect(gpu.metadata!.labels).toMatchObject({
      'kueue.x-k8s.io/queue-name': 'gpus',
      'kueue.x-k8s.io/priority-class': 'live',
    });
    expect(jobOf({}, settingsOf({ kueue })).metadata!.labels).toMatchObject({ 'kueue.x-k8s.io/queue-name': 'all' });
    expect(jobOf().spec!.suspend).toBeUndefined();
    expect(JSON.stringify(jobOf())).not.toContain('kueue');
  });

  it.each([
    ['live', 'beamtime'],
    ['standard', 'all'],
    ['backfill', 'gaps'],
  ] as const)('of a session with priority %s has the WorkloadPriorityClass %s', (priority, expected) => {
    const priorityClasses = { live: 'beamtime', standard: '', backfill: 'gaps' };
    const kueue = { queue: 'all', priorityClass: 'all', priorityClasses };
    const { labels } = jobOf({ owner: { ...spec.owner, priority } }, settingsOf({ kueue })).metadata!;
    expect(labels).toMatchObject({
      'kueue.x-k8s.io/priority-class': expected,
      'phenix-fleet.io/priority': priority,
    });
  });

  it('has no WorkloadPriorityClass if none is configured for its priority, or without a queue', () => {
    const priorityClasses = { live: 'beamtime' };
    const labelsBy = (kueue: object): object => jobOf({}, settingsOf({ kueue })).metadata!.labels!;
    expect(labelsBy({ queue: 'all', priorityClasses })).not.toHaveProperty(['kueue.x-k8s.io/priority-class']);
    expect(labelsBy({ priorityClass: 'all' })).not.toHaveProperty(['kueue.x-k8s.io/priority-class']);
  });

  it('rejects a source or a class that is not configured', () => {
    expect(() => jobOf({ source: 'gone' })).toThrow('source gone');
    const cpuOnly = settingsOf({ classes: { cpu: {} } });
    expect(() => jobOf({ resources: { class: 'gpu', cpus: 1, mayFallBack: true } }, cpuOnly)).toThrow('class gpu');
  });

  it('carries the trace id of its session if there is one, and is otherwise the same', () => {
    const key = 'phenix-fleet.io/trace-id';
    const traced = { ...spec.owner, traceId: 'a'.repeat(32) };
    const { metadata, spec: made } = jobOf({ owner: traced });
    expect([metadata!.labels![key], made!.template.metadata!.labels![key]]).toEqual([traced.traceId, traced.traceId]);
    expect(jobOf().metadata!.labels).not.toHaveProperty([key]);
    expect(specHash({ ...spec, owner: traced })).toBe(specHash(spec));
  });

  it('has labels that the API server accepts, and full values in annotations', () => {
    const { labels, annotations } = jobOf().metadata!;
    for (const value of Object.values(labels!)) {
      expect(value).toMatch(/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/);
      expect(value.length).toBeLessThanOrEqual(63);
    }
    expect(annotations!['phenix-fleet.io/proposal']).toBe('MX 1234/é');
  });
});

/**
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted, for the fields that our pods use.
 */
describe('Pod Security "restricted"', () => {
  const claims = {
    work: { mountPath: '/work', claim: 'w' },
    data: [{ mountPath: '/data', claim: 'd' }],
  };
  const pods = [
    podOf({}, settingsOf({ volumes: claims })),
    podOf({ source: 'open-phenix' }, settingsOf({ volumes: claims })),
    podOf({ resources: { class: 'gpu', cpus: 1, mayFallBack: false } }, settingsOf({ volumes: claims })),
  ];

  it.each(pods.map((pod, index) => [index, pod] as const))('admits pod %d', (_index, pod) => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.securityContext!.runAsUser).toBeGreaterThan(0);
    expect(pod).not.toHaveProperty('hostNetwork');
    expect(pod).not.toHaveProperty('hostPID');
    expect(pod).not.toHaveProperty('hostIPC');
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources!.limits!.memory).toBeDefined();
    }
    for (const volume of pod.volumes!) {
      expect(Object.keys(volume).filter((key) => key !== 'name')[0]).toMatch(/^(emptyDir|persistentVolumeClaim)$/);
    }
  });
});
