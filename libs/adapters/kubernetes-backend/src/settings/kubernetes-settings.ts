import type { Priority } from '@fleet/contracts/launches';
import {
  also,
  choice,
  closed,
  flag,
  integer,
  list,
  mapOf,
  number,
  record,
  text,
  type Described,
  type Schema,
} from '@fleet/contracts/schema';
import type { AttemptResources } from '@fleet/contracts/sessions';

export type ResourceClass = AttemptResources['class'];

const name = (what?: string): Schema<string> => text(what, { pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' });
const image = (what?: string): Schema<string> => text(what, { pattern: '^[^\\s]+$' });
const path = (what?: string): Schema<string> => text(what, { pattern: '^/[^\\u0000]*$' });
const someText = (what?: string): Schema<string> => text(what, { minLength: 1 });
const id = (what: string): Schema<number> => integer(what, { minimum: 1, maximum: 2_147_483_647 });
const limit = (what: string): Schema<number> => integer(what, { minimum: 0, default: 0 });
const optionalText = (what: string): Schema<string> => text(what, { default: '' });

/** A volume of the cluster and its mount path, by which paths in records are valid in all pods. */
const volume = also(
  record(
    { mountPath: text('The same in all pods of the fleet.', { pattern: '^/[^\\u0000]+$' }) },
    {
      claim: someText('A PersistentVolumeClaim in the namespace of the Jobs.'),
      nfs: record(
        { server: someText(), path: path() },
        {},
        'A share. Refused by Pod Security "restricted", like hostPath: a claim of a volume over the same share is not.',
      ),
      hostPath: path('A folder of every node. Refused by Pod Security "restricted".'),
      subPath: text('A folder inside the volume, relative.', { pattern: '^[^/\\u0000][^\\u0000]*$' }),
    },
  ),
  { oneOf: [{ required: ['claim'] }, { required: ['nfs'] }, { required: ['hostPath'] }] },
);
export type VolumeSettings = Described<typeof volume>;

/** One installation of programs: an image, possibly with a software volume. */
const source = also(
  record(
    {
      name: name(),
      image: image('An image with the programs, or for programs on a software volume.'),
      runner: choice(
        ['baked', 'copied'],
        'baked: the image has /opt/phenix-fleet; copied: the runner image brings it.',
        { default: 'baked' },
      ),
    },
    {
      gpuImage: image('Instead of "image" for programs of class gpu.'),
      phenixDir: path('A PHENIX installation in the image or on a software volume.'),
      openPhenixDir: path('The open-phenix kit in the image.'),
    },
  ),
  { not: { required: ['phenixDir', 'openPhenixDir'] } },
);
export type SourceSettings = Described<typeof source>;

const toleration = record(
  {},
  {
    key: text(),
    operator: choice(['Exists', 'Equal']),
    value: text(),
    effect: choice(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    tolerationSeconds: integer(undefined, { minimum: 0 }),
  },
);

/** A kind of node. */
const nodeClass = record(
  {
    nodeSelector: mapOf(text(), undefined, { default: {} }),
    tolerations: list(toleration, undefined, { default: [] }),
    resources: mapOf(
      text(undefined, { pattern: '^[0-9]' }),
      'Requests and limits besides cpu and memory, for example nvidia.com/gpu: "1".',
      { default: {} },
    ),
    maxRunning: limit('Maximum number of concurrent programs of this class; 0: no limit.'),
  },
  {
    runtimeClassName: someText(),
    priorityClassName: someText(
      'An existing PriorityClass for the pods. If it preempts other programs, those lose an attempt.',
    ),
  },
);
export type ClassSettings = Described<typeof nodeClass>;

const userOrGroup = 'A uid or gid; 0 (root) is refused, and so is what Kubernetes does not take (above 2³¹ - 1).';

/** The user and groups of a program. */
const identity = record({
  uid: id(userOrGroup),
  gid: id(userOrGroup),
  supplementalGroups: list(id(userOrGroup), undefined, { default: [] }),
});
export type Identity = Described<typeof identity>;

const volumes = record({
  work: { ...volume, description: 'Holds the work root. Each Job sees the folder of its session alone.' },
  data: list(volume, 'Raw data, mounted read-only.', { default: [] }),
  software: list(volume, 'Installations of PHENIX on a share, mounted read-only.', { default: [] }),
});

const identities = record({
  fleetGid: id(
    "The group that the executor, the log analysis and all Jobs share: through it they write to each other's folders.",
  ),
  default: { ...identity, description: 'Whom programs run as when their proposal is not named here.' },
  proposals: mapOf(identity, 'Whom the programs of a proposal run as.', { default: {} }),
  ofFolder: text(
    'A folder whose owner and group programs run as, with {proposal} and {beamline} in it; empty: not used. A folder that root owns is refused.',
    { pattern: '^(/[^\\u0000]*)?$', default: '' },
  ),
});

const kueue = record({
  queue: optionalText('The LocalQueue of all Jobs; empty: no Kueue.'),
  priorityClass: optionalText('The WorkloadPriorityClass of all Jobs; empty: none.'),
  priorityClasses: also(
    record(
      {},
      { live: text(), standard: text(), backfill: text() } satisfies Record<Priority, Schema<string>>,
      'Other WorkloadPriorityClasses by the priority of the session.',
    ),
    { default: {} },
  ),
  queues: also(record({}, { cpu: text(), gpu: text() }, 'Other LocalQueues by class.'), {
    default: {},
  }),
});

const api = record({
  requestsPerSecond: number('Calls to the API server, over time.', { exclusiveMinimum: 0, default: 10 }),
  burst: integer('Calls that may be made at once after a rest.', { minimum: 1, default: 25 }),
  relistSeconds: number(
    'Jobs and pods that have not ended with a success are listed this often, whatever the watch says.',
    { minimum: 0.2, default: 30 },
  ),
  watch: flag('False: the list alone; all works, ends are seen later.', { default: true }),
});

/** How phenix-fleet runs programs as Kubernetes Jobs: the file that FLEET_KUBERNETES_FILE names. */
export const kubernetesSettings = closed(
  record({
    namespace: name('The namespace of the Jobs.'),
    installation: text('Tells the Jobs of this installation from those of others in the same namespace.', {
      maxLength: 63,
      pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
    }),
    sources: list(source, 'Where programs come from, in order of preference.', { minItems: 1 }),
    runnerImage: image(
      'Has Node and the supervisor of attempts; copied into the images of sources whose runner is "copied".',
    ),
    imagePullPolicy: choice(['Always', 'IfNotPresent', 'Never'], undefined, { default: 'IfNotPresent' }),
    imagePullSecrets: list(someText(), 'Names of Secrets in the namespace of the Jobs.', { default: [] }),
    volumes,
    classes: record({ cpu: nodeClass }, { gpu: nodeClass }, 'Kinds of nodes. Without "gpu" no program runs on a GPU.'),
    memoryClassesMiB: list(
      integer(undefined, { minimum: 64 }),
      'Memory a program may be given, in MiB, rising. After a memory_limit the next class is tried.',
      { minItems: 1, default: [2048, 4096, 8192, 16_384, 32_768] },
    ),
    limits: also(
      record({
        maxRunning: limit('Programs that run at once; 0: no limit.'),
        maxRunningPerProposal: limit('The same for one proposal; 0: no limit.'),
      }),
      { default: {} },
    ),
    mustReach: list(
      text(undefined, { pattern: '^[A-Za-z0-9.-]{1,253}:[1-9][0-9]{0,4}$' }),
      "What programs have to reach, as host:port (a licence server, say); the doctor's trial calls it. The way is opened elsewhere (NetworkPolicy).",
      { maxItems: 20, default: [] },
    ),
    gpuWaitSeconds: integer('A program that can run on either waits this long for a GPU, then runs on a CPU.', {
      minimum: 0,
      default: 600,
    }),
    pendingLimitSeconds: integer('A Job that no node takes for longer ends as unschedulable.', {
      minimum: 60,
      default: 86_400,
    }),
    imagePullLimitSeconds: integer('A Job whose image cannot be pulled for longer ends as image_unavailable.', {
      minimum: 10,
      default: 600,
    }),
    identity: identities,
    kueue: also(kueue, { default: {} }),
    api: also(api, { default: {} }),
    ttlSecondsAfterFinished: integer('Finished Jobs are kept this long: longer than any outage of the executors.', {
      minimum: 3600,
      default: 86_400,
    }),
    resultGraceSeconds: integer(
      'A finished Job whose result is not seen waits this long for it: network file systems show files late.',
      { minimum: 1, default: 60 },
    ),
  }),
);

/** The settings file with defaults applied. */
export type KubernetesSettings = Described<typeof kubernetesSettings>;

/** The LocalQueue of Kueue for a class; undefined without Kueue. */
export const queueOf = ({ kueue }: KubernetesSettings, resourceClass: ResourceClass): string | undefined =>
  kueue.queues[resourceClass] || kueue.queue || undefined;

/** Kueue's WorkloadPriorityClass for the programs of a session; undefined if none is configured. */
export const workloadPriorityOf = ({ kueue }: KubernetesSettings, priority: Priority): string | undefined =>
  kueue.priorityClasses[priority] || kueue.priorityClass || undefined;
