import { endingKinds } from '../sessions/cycle';
import {
  queue,
  worker,
  nodes,
  step,
  methods,
  backlogStates,
  waitReasons,
  quick,
  thinking,
  long,
  rFrees,
  correlations,
  type MetricDescription,
} from './metric-words';
import { modelFailureClasses } from '../models/models';
import { programProviders } from '../service/programs';
import { sessionOutcomes, sessionStatuses } from '../sessions/session';
import { storageMetrics } from './storage-metrics';

/**
 * All metrics of the service by name. The names are wire names: dashboards and alerts of facilities use them. Source of
 * docs/reference/metrics.md.
 */
export const metricCatalogue = {
  phenix_fleet_http_requests_total: {
    type: 'counter',
    unit: 'requests',
    by: 'gateway',
    what: 'completed requests by route pattern; `none` means that no route matched',
    labels: { route: 'declared', method: methods, code: 'status' },
  },
  phenix_fleet_http_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'gateway',
    what: 'time from the arrival of a request to the end of its response; for an event stream, to its end',
    labels: { route: 'declared', method: methods },
    buckets: quick,
  },
  phenix_fleet_audit_not_forwarded_total: {
    type: 'counter',
    unit: 'entries',
    by: 'gateway',
    what: 'audit log entries that were not forwarded (`FLEET_AUDIT_FORWARD`) because the receiver was unreachable or too slow; the audit log files contain them',
    labels: {},
  },
  phenix_fleet_event_streams: {
    type: 'gauge',
    unit: 'streams',
    by: 'gateway',
    what: 'open event streams of this gateway',
    labels: {},
  },
  phenix_fleet_steps_total: {
    type: 'counter',
    unit: 'steps',
    by: 'worker',
    what: 'processed steps. `stale`: the session had advanced; `waiting`: its program still runs; `failed`: retried, and given up after repeated failures',
    labels: { step, outcome: ['advanced', 'waiting', 'stale', 'failed'] },
  },
  phenix_fleet_step_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'worker',
    what: 'duration of a step',
    labels: { step },
    buckets: quick,
  },
  phenix_fleet_sweeper_sessions_total: {
    type: 'counter',
    unit: 'sessions',
    by: 'worker',
    what: 'findings of sweepers. `resent`: a wake-up that had not reached its queue; `rewoken`: an overdue session without a job; `postponed`: an overdue session whose job is still queued',
    labels: { found: ['resent', 'rewoken', 'postponed'] },
  },
  phenix_fleet_session_ends_total: {
    type: 'counter',
    unit: 'sessions',
    by: 'worker',
    what: 'ended sessions by outcome; a resumed session counts again',
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
    what: 'map correlation of the best cryo-EM model when its session ended',
    labels: { outcome: sessionOutcomes },
    buckets: correlations,
  },
  phenix_fleet_model_requests_total: {
    type: 'counter',
    unit: 'requests',
    by: 'decision worker',
    what: 'requests to language models by outcome, including failures and retries. `budget`, `resting`: not sent, because a budget could be exceeded or the target recently failed',
    labels: { target: 'declared', result: ['answered', ...modelFailureClasses] },
  },
  phenix_fleet_model_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'decision worker',
    what: 'duration of requests to language models, to the end of the reply or the failure; requests that were not sent do not count',
    labels: { target: 'declared' },
    buckets: thinking,
  },
  phenix_fleet_launches_total: {
    type: 'counter',
    unit: 'programs',
    by: 'executor',
    what: 'started programs',
    labels: { class: nodes },
  },
  phenix_fleet_endings_total: {
    type: 'counter',
    unit: 'attempts',
    by: 'executor',
    what: 'ended attempts. `infrastructure`: an infrastructure failure, a new attempt follows; `program`: the program ended by itself',
    labels: { kind: endingKinds, cause: ['infrastructure', 'program'] },
  },
  phenix_fleet_program_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'executor',
    what: 'wall time of ended programs',
    labels: { program: 'declared' },
    buckets: long,
  },
  phenix_fleet_kubernetes_calls_total: {
    type: 'counter',
    unit: 'calls',
    by: 'executor',
    what: 'calls to the Kubernetes API server, including retries; `none`: no response',
    labels: { verb: ['get', 'list', 'watch', 'create', 'delete'], code: 'status' },
  },
  phenix_fleet_queue_jobs: {
    type: 'gauge',
    unit: 'jobs',
    by: 'fleet',
    what: 'jobs of a queue. The backlog is the sum without `later`',
    labels: { queue, state: backlogStates },
  },
  phenix_fleet_worker_backlog: {
    type: 'gauge',
    unit: 'jobs',
    by: 'fleet',
    what: 'current steps for a kind of worker: `waiting`, `prioritized`, `due` and `active` jobs of its queue. An autoscaler divides it by its target to get the number of pods',
    labels: { worker },
  },
  phenix_fleet_queue_oldest_seconds: {
    type: 'gauge',
    unit: 'seconds',
    by: 'fleet',
    what: 'wait of the oldest waiting job; 0: none waits',
    labels: { queue },
  },
  phenix_fleet_sessions: {
    type: 'gauge',
    unit: 'sessions',
    by: 'fleet',
    what: 'sessions in the store, by status',
    labels: { status: sessionStatuses },
  },
  phenix_fleet_session_outcomes: {
    type: 'gauge',
    unit: 'sessions',
    by: 'fleet',
    what: 'ended sessions in the store, by outcome',
    labels: { outcome: sessionOutcomes },
  },
  phenix_fleet_slots_used: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'slots in use',
    labels: { class: nodes },
  },
  phenix_fleet_slots_used_by_group: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'slots in use by proposal group (FLEET_PROPOSAL_GROUPS); `other`: in no group. Absent without groups',
    labels: { class: nodes, group: 'declared' },
  },
  phenix_fleet_slots_limit: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'maximum number of slots; absent: no limit. `all`: limit of both classes together',
    labels: { class: [...nodes, 'all'] },
  },
  phenix_fleet_launches_waiting: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'programs that wait for a slot, by reason: `paused` by an administrator, `uncounted` (no executor has reported its capacity), the limit of `all`, of a `class`, `priority`, `proposal`, `share` or `user`, the starts of a `day` or `userday`, no `room`; `next`: starts at the next check of the executors',
    labels: { class: nodes, reason: waitReasons },
  },
  phenix_fleet_launches_oldest_seconds: {
    type: 'gauge',
    unit: 'seconds',
    by: 'fleet',
    what: 'longest current wait for a slot; 0: none waits',
    labels: { class: nodes },
  },
  phenix_fleet_launches_open: {
    type: 'gauge',
    unit: '1 or 0',
    by: 'fleet',
    what: '1: programs may start; 0: launches are paused or drained by an administrator, or stopped by a maintenance window',
    labels: {},
  },
  phenix_fleet_orphans: {
    type: 'gauge',
    unit: 'runs',
    by: 'fleet',
    what: 'runs on the backend that belong to no session. `removable`: seen often enough to be removed by an administrator',
    labels: { state: ['suspected', 'removable'] },
  },
  phenix_fleet_programs: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'installed programs by source; absent before an executor has checked',
    labels: { provider: programProviders },
  },
  phenix_fleet_webhooks: {
    type: 'gauge',
    unit: 'webhooks',
    by: 'fleet',
    what: 'webhooks by state. `failing`: the last attempt failed and will be retried',
    labels: { state: ['well', 'failing'] },
  },
  phenix_fleet_webhook_notices_dead: {
    type: 'gauge',
    unit: 'notices',
    by: 'fleet',
    what: 'dead notifications of all webhooks; they can be replayed',
    labels: {},
  },
  ...storageMetrics,
  phenix_fleet_collection_errors_total: {
    type: 'counter',
    unit: 'errors',
    by: 'every process',
    what: 'metrics that could not be collected; they are absent from that response',
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

/** The whole catalogue with the general type. */
export const describedMetrics = (): readonly (readonly [MetricName, MetricDescription])[] =>
  Object.entries(metricCatalogue) as unknown as readonly (readonly [MetricName, MetricDescription])[];
