/** Current time of `rawJob` and `rawPod`; milliseconds since 1970. */
export const lookedAt = Date.parse('2026-11-21T12:00:00Z');

/** ISO 8601, this many seconds before that time. */
export const secondsAgo = (seconds: number): string => new Date(lookedAt - seconds * 1_000).toISOString();

export interface RawJobChanges {
  readonly metadata?: object;
  readonly spec?: object;
  readonly conditions?: readonly object[];
  readonly gpu?: true;
  readonly mayFallBack?: true;
}

/** A Job of phenix.refine as the API server returns it: created five hours before, unsuspended 100 s before. */
export const rawJob = ({ metadata, spec, conditions, gpu, mayFallBack }: RawJobChanges = {}): object => ({
  metadata: {
    name: 'phx-x',
    uid: 'u',
    creationTimestamp: secondsAgo(18_000),
    labels: { 'phenix-fleet.io/class': gpu === true ? 'gpu' : 'cpu' },
    annotations: {
      'phenix-fleet.io/program': 'phenix.refine',
      'phenix-fleet.io/may-fall-back': String(mayFallBack === true),
    },
    ...metadata,
  },
  spec: { ...spec },
  status: { startTime: secondsAgo(100), ...(conditions && { conditions }) },
});

export interface RawPodChanges {
  readonly metadata?: object;
  readonly node?: string;
  readonly status: object;
}

/** A pod as the API server returns it. */
export const rawPod = ({ metadata, node = 'node-7', status }: RawPodChanges, serial = 0): object => ({
  metadata: { name: `pod-${String(serial)}`, creationTimestamp: secondsAgo(90 - serial), ...metadata },
  spec: { nodeName: node },
  status,
});

const terminated = (details: object): object => ({
  phase: 'Failed',
  containerStatuses: [
    { name: 'program', state: { terminated: { startedAt: secondsAgo(80), finishedAt: secondsAgo(5), ...details } } },
  ],
});

/** Conditions of Jobs and statuses of pods, as controllers and kubelets write them. */
export const rawStatus = {
  complete: { type: 'Complete', status: 'True' },
  failed: (reason = 'BackoffLimitExceeded', message = ''): object => ({
    type: 'Failed',
    status: 'True',
    reason,
    message,
  }),
  terminated,
  running: {
    phase: 'Running',
    containerStatuses: [{ name: 'program', state: { running: { startedAt: secondsAgo(30) } } }],
  },
  waiting: (reason: string, message: string, scheduledAgo = 60): object => ({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: secondsAgo(scheduledAgo) }],
    containerStatuses: [{ name: 'program', state: { waiting: { reason, message } } }],
  }),
  unscheduled: (message: string): object => ({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  }),
  disrupted: (reason: string, message = ''): object => ({
    ...terminated({ exitCode: 143 }),
    message,
    conditions: [{ type: 'DisruptionTarget', status: 'True', reason }],
  }),
} as const;
