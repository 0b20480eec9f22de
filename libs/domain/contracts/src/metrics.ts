import { endingKinds } from './cycle';
import { modelFailureClasses } from './models';
import { Queues } from './queues';
import { sessionOutcomes, sessionStatuses } from './session';

/**
 * What a label may say: one of these words, or what the process declares when it starts (addresses of its API, programs of the rule
 * book, the site's models), or an HTTP status. Anything else is `other`, so that neither an id nor a name from outside can ever become a label.
 */
export type LabelValues = readonly string[] | 'declared' | 'status';

interface MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly unit: string;
  /** Who measures it. `fleet`: it is of all processes together, and every gateway reads it from Redis. */
  readonly by: 'every process' | 'gateway' | 'worker' | 'decision worker' | 'executor' | 'fleet';
  readonly what: string;
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Upper bounds of a histogram, in its unit. */
  readonly buckets?: readonly number[];
}

const queue = Object.values(Queues);
const nodes = ['cpu', 'gpu'] as const;
const step = ['decide', 'execute', 'cancel', 'analyse'] as const;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Where a job of a queue is. `due`: its time has come and no worker has taken it up yet; `later`: it is tried again later. */
export const backlogStates = ['waiting', 'prioritized', 'due', 'later', 'active'] as const;
export type BacklogState = (typeof backlogStates)[number];

/** What keeps a program from starting. `next`: nothing, it starts at the next look; `paused`: an administrator. */
export const waitReasons = [
  'next',
  'paused',
  'uncounted',
  'all',
  'class',
  'room',
  'priority',
  'proposal',
  'share',
  'user',
  'day',
  'userday',
] as const;
export type WaitReason = (typeof waitReasons)[number];

const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
/** Those of a model, which thinks for seconds or minutes; a call ends after four at the latest, unless the site says otherwise. */
const thinking = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 240] as const;
const long = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400] as const;
const rFrees = [0.14, 0.16, 0.18, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.33, 0.36, 0.4, 0.45, 0.5] as const;
const correlations = [0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95] as const;

/** Every metric of the service by its name, which is a wire name: dashboards and alerts of facilities use it. docs/reference/metrics.md is made of it. */
export const metricCatalogue = {
  phenix_fleet_http_requests_total: {
    type: 'counter',
    unit: 'requests',
    by: 'gateway',
    what: 'requests that were answered, by the pattern of their address; `none` is an address that there is not',
    labels: { address: 'declared', method: methods, code: 'status' },
  },
  phenix_fleet_http_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'gateway',
    what: 'from the arrival of a request to the end of its answer; that of an event stream ends with the stream',
    labels: { address: 'declared', method: methods },
    buckets: quick,
  },
  phenix_fleet_event_streams: {
    type: 'gauge',
    unit: 'streams',
    by: 'gateway',
    what: 'event streams that are open at this gateway',
    labels: {},
  },
  phenix_fleet_steps_total: {
    type: 'counter',
    unit: 'steps',
    by: 'worker',
    what: 'steps that were taken. `stale`: the session had moved on; `waiting`: its program still runs; `failed`: tried again, or given up after a while',
    labels: { step, outcome: ['advanced', 'waiting', 'stale', 'failed'] },
  },
  phenix_fleet_step_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'worker',
    what: 'how long a step took',
    labels: { step },
    buckets: quick,
  },
  phenix_fleet_sweeper_sessions_total: {
    type: 'counter',
    unit: 'sessions',
    by: 'worker',
    what: 'what sweepers found. `resent`: a wake-up that had not reached its queue; `rewoken`: an overdue session whose job was gone; `postponed`: one whose job is still in its queue',
    labels: { found: ['resent', 'rewoken', 'postponed'] },
  },
  phenix_fleet_session_ends_total: {
    type: 'counter',
    unit: 'sessions',
    by: 'worker',
    what: 'sessions that ended, by what came of them; one that was resumed ends again',
    labels: { outcome: sessionOutcomes },
  },
  phenix_fleet_session_r_free: {
    type: 'histogram',
    unit: 'R-free (fraction)',
    by: 'worker',
    what: 'R-free of the best model of a crystal when its session ended',
    labels: { outcome: sessionOutcomes },
    buckets: rFrees,
  },
  phenix_fleet_session_map_cc: {
    type: 'histogram',
    unit: 'correlation',
    by: 'worker',
    what: 'correlation with the map of the best model of cryo-EM when its session ended',
    labels: { outcome: sessionOutcomes },
    buckets: correlations,
  },
  phenix_fleet_model_requests_total: {
    type: 'counter',
    unit: 'requests',
    by: 'decision worker',
    what: 'requests to language models, by what came of them, failed ones and those that were tried again too. `budget`, `resting`: none was made, for it might have cost too much, or the target was in trouble a moment ago',
    labels: { target: 'declared', came: ['answered', ...modelFailureClasses] },
  },
  phenix_fleet_model_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'decision worker',
    what: 'from a request to a language model to the end of its answer, or until it failed; those that were not made are not among them',
    labels: { target: 'declared' },
    buckets: thinking,
  },
  phenix_fleet_launches_total: {
    type: 'counter',
    unit: 'programs',
    by: 'executor',
    what: 'programs that were seen to start',
    labels: { class: nodes },
  },
  phenix_fleet_endings_total: {
    type: 'counter',
    unit: 'attempts',
    by: 'executor',
    what: 'how attempts ended. `infrastructure`: the machine failed, and a new attempt follows; `program`: it ended by itself',
    labels: { kind: endingKinds, cause: ['infrastructure', 'program'] },
  },
  phenix_fleet_program_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'executor',
    what: 'wall time of programs that ran and ended',
    labels: { program: 'declared' },
    buckets: long,
  },
  phenix_fleet_kubernetes_calls_total: {
    type: 'counter',
    unit: 'calls',
    by: 'executor',
    what: 'calls to the API server of Kubernetes, every try of each; `none` is a call without an answer',
    labels: { verb: ['get', 'list', 'watch', 'create', 'delete'], code: 'status' },
  },
  phenix_fleet_queue_jobs: {
    type: 'gauge',
    unit: 'jobs',
    by: 'fleet',
    what: 'jobs of a queue. The backlog is the sum without `later`',
    labels: { queue, state: backlogStates },
  },
  phenix_fleet_queue_oldest_seconds: {
    type: 'gauge',
    unit: 'seconds',
    by: 'fleet',
    what: 'for how long the oldest job that nobody has taken up waits; 0 where none does',
    labels: { queue },
  },
  phenix_fleet_sessions: {
    type: 'gauge',
    unit: 'sessions',
    by: 'fleet',
    what: 'sessions in the store, by status; archived ones are not counted',
    labels: { status: sessionStatuses },
  },
  phenix_fleet_session_outcomes: {
    type: 'gauge',
    unit: 'sessions',
    by: 'fleet',
    what: 'ended sessions in the store, by what came of them; archived ones are not counted',
    labels: { outcome: sessionOutcomes },
  },
  phenix_fleet_slots_used: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'places that programs hold',
    labels: { class: nodes },
  },
  phenix_fleet_slots_limit: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'most places at once; absent where there is no limit. `all` is the limit for both classes together',
    labels: { class: [...nodes, 'all'] },
  },
  phenix_fleet_launches_waiting: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: "programs that wait for a place, by what stands in the way: `paused` by an administrator, `uncounted` (no executor has said what there is room for), the limit of `all`, of a `class`, `priority`, `proposal`, `share` or `user`, the starts of a `day` or `userday`, no `room`; `next` start at the executors' next look",
    labels: { class: nodes, reason: waitReasons },
  },
  phenix_fleet_launches_oldest_seconds: {
    type: 'gauge',
    unit: 'seconds',
    by: 'fleet',
    what: 'for how long the program waits that waits longest for a place; 0 where none does',
    labels: { class: nodes },
  },
  phenix_fleet_launches_open: {
    type: 'gauge',
    unit: '1 or 0',
    by: 'fleet',
    what: '1 where programs may be launched; 0 where an administrator has paused launches or drains the service, or a window for maintenance holds them',
    labels: {},
  },
  phenix_fleet_orphans: {
    type: 'gauge',
    unit: 'runs',
    by: 'fleet',
    what: 'runs on the backend that no session wants. `removable`: seen often enough that an administrator may have them removed',
    labels: { state: ['suspected', 'removable'] },
  },
  phenix_fleet_work_volume_bytes: {
    type: 'gauge',
    unit: 'bytes',
    by: 'executor',
    what: 'of the volume that holds the work root, as the executor has it mounted; `free`: for programs, which are not root. Executors tell the same: take the least. Absent while its file server does not answer',
    labels: { state: ['free', 'total'] },
  },
  phenix_fleet_work_volume_inodes: {
    type: 'gauge',
    unit: 'inodes',
    by: 'executor',
    what: 'the same of its files and folders; absent where the file system has no number of them',
    labels: { state: ['free', 'total'] },
  },
  phenix_fleet_redis_memory_bytes: {
    type: 'gauge',
    unit: 'bytes',
    by: 'fleet',
    what: 'memory that Redis uses',
    labels: {},
  },
  phenix_fleet_redis_memory_limit_bytes: {
    type: 'gauge',
    unit: 'bytes',
    by: 'fleet',
    what: "Redis' maxmemory: at it no session is accepted and none goes on; absent where there is no limit",
    labels: {},
  },
  phenix_fleet_redis_persistence_ok: {
    type: 'gauge',
    unit: '1 or 0',
    by: 'fleet',
    what: '1 where it works. `aof`: every write is logged; `aof_write`: the last write of the log; `aof_rewrite`, `snapshot`: the last one',
    labels: { part: ['aof', 'aof_write', 'aof_rewrite', 'snapshot'] },
  },
  phenix_fleet_reading_failed_total: {
    type: 'counter',
    unit: 'readings',
    by: 'every process',
    what: 'figures that could not be read when they were asked for: they are absent from that answer',
    labels: {},
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

type Catalogue = typeof metricCatalogue;
export type MetricName = keyof Catalogue;
/** The metrics of one type. */
export type MetricOf<Type extends MetricDescription['type']> = {
  [Name in MetricName]: Catalogue[Name]['type'] extends Type ? Name : never;
}[MetricName];

type ValueOf<Values> = Values extends readonly (infer Word extends string)[] ? Word : string;
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in keyof Catalogue[Name]['labels']]: ValueOf<Catalogue[Name]['labels'][Label]>;
};

/** Labels whose values a process declares. */
export const declaredLabels = ['address', 'program', 'target'] as const;
export type DeclaredLabel = (typeof declaredLabels)[number];

/** What a label says that is not one of its values. */
export const otherValue = 'other';

/** The catalogue where any metric will do. */
export const describedMetrics = (): readonly (readonly [MetricName, MetricDescription])[] =>
  Object.entries(metricCatalogue) as unknown as readonly (readonly [MetricName, MetricDescription])[];
