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
    what: 'requests that were answered, by the pattern of their route; `none` means that no route matched',
    labels: { route: 'declared', method: methods, code: 'status' },
  },
  phenix_fleet_http_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    by: 'gateway',
    what: 'from the arrival of a request to the end of its answer; that of an event stream ends with the stream',
    labels: { route: 'declared', method: methods },
    buckets: quick,
  },
  phenix_fleet_audit_not_forwarded_total: {
    type: 'counter',
    unit: 'entries',
    by: 'gateway',
    what: 'entries of the audit log that were not sent on (`FLEET_AUDIT_FORWARD`), because whoever takes them was away or slow for too long; the files of the log have them',
    labels: {},
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
    what: 'sessions that ended, by outcome; one that was resumed ends again',
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
    what: 'requests to language models, by outcome, failed ones and those that were tried again too. `budget`, `resting`: none was made, because it might have cost too much, or the target was in trouble a moment ago',
    labels: { target: 'declared', result: ['answered', ...modelFailureClasses] },
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
  phenix_fleet_worker_backlog: {
    type: 'gauge',
    unit: 'jobs',
    by: 'fleet',
    what: 'steps that there are for workers of a kind just now, those that they are at too: `waiting`, `prioritized`, `due` and `active` of its queue. Divided by its target, it is the number of pods that an autoscaler takes',
    labels: { worker },
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
    what: 'places that programs hold',
    labels: { class: nodes },
  },
  phenix_fleet_slots_used_by_group: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'places that programs hold, by the group of their proposal (FLEET_PROPOSAL_GROUPS); `other` is in no group. Absent where there are no groups',
    labels: { class: nodes, group: 'declared' },
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
    what: '1 where programs may be launched; 0 where an administrator has paused launches or drains the service, or a maintenance window holds them',
    labels: {},
  },
  phenix_fleet_orphans: {
    type: 'gauge',
    unit: 'runs',
    by: 'fleet',
    what: 'runs on the backend that no session wants. `removable`: seen often enough that an administrator may have them removed',
    labels: { state: ['suspected', 'removable'] },
  },
  phenix_fleet_programs: {
    type: 'gauge',
    unit: 'programs',
    by: 'fleet',
    what: 'programs that executors have found, by whose they are; absent before one has looked',
    labels: { provider: programProviders },
  },
  phenix_fleet_webhooks: {
    type: 'gauge',
    unit: 'webhooks',
    by: 'fleet',
    what: 'endpoints that are notified of sessions and batches. `failing`: the last try has failed, and others follow',
    labels: { state: ['well', 'failing'] },
  },
  phenix_fleet_webhook_notices_dead: {
    type: 'gauge',
    unit: 'notices',
    by: 'fleet',
    what: 'notices that are no longer retried, of all webhooks; they can be replayed',
    labels: {},
  },
  ...storageMetrics,
  phenix_fleet_collection_errors_total: {
    type: 'counter',
    unit: 'errors',
    by: 'every process',
    what: 'metrics that could not be collected; they are absent from that answer',
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
