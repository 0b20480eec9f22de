import { listIn, objectIn, wordIn, wordsIn, type Json } from '../api/json';

// The fields of Jobs and pods that are judged: few, so that thousands fit into little memory.

export interface SeenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
}

interface SeenObject {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: number | undefined;
  /** When its deletion was requested. */
  readonly deletedAt: number | undefined;
}

export interface SeenJob extends SeenObject {
  readonly annotations: Readonly<Record<string, string>>;
  readonly suspended: boolean;
  /** When it was last unsuspended; milliseconds since 1970. */
  readonly startedAt: number | undefined;
  readonly active: number;
  readonly conditions: readonly SeenCondition[];
}

/** A container that waits, runs or has ended. */
export interface SeenContainer {
  readonly name: string;
  readonly init: boolean;
  readonly state: 'waiting' | 'running' | 'terminated' | 'unknown';
  readonly reason: string;
  readonly message: string;
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

export interface SeenPod extends SeenObject {
  readonly job: string;
  readonly phase: string;
  readonly reason: string;
  readonly message: string;
  readonly node: string;
  readonly conditions: readonly SeenCondition[];
  readonly containers: readonly SeenContainer[];
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const timeIn = (value: unknown): number | undefined => {
  const time = Date.parse(wordIn(value));
  return Number.isNaN(time) ? undefined : time;
};

/** Longer messages of schedulers and runtimes are truncated. */
const messageLength = 600;
const messageIn = (value: unknown): string => wordIn(value).slice(0, messageLength);

const conditionsIn = (value: unknown): readonly SeenCondition[] =>
  listIn(value).map((condition) => ({
    type: wordIn(condition.type),
    status: wordIn(condition.status),
    reason: wordIn(condition.reason),
    message: messageIn(condition.message),
    since: timeIn(condition.lastTransitionTime),
  }));

const objectOf = (metadata: Json): SeenObject => ({
  name: wordIn(metadata.name),
  uid: wordIn(metadata.uid),
  resourceVersion: wordIn(metadata.resourceVersion),
  labels: wordsIn(metadata.labels),
  createdAt: timeIn(metadata.creationTimestamp),
  deletedAt: timeIn(metadata.deletionTimestamp),
});

/** Undefined for an object without a name. */
export const seenJob = (raw: unknown): SeenJob | undefined => {
  const { metadata, spec, status } = objectIn(raw);
  const seen = objectOf(objectIn(metadata));
  if (seen.name === '') return undefined;
  return {
    ...seen,
    annotations: wordsIn(objectIn(metadata).annotations),
    suspended: objectIn(spec).suspend === true,
    startedAt: timeIn(objectIn(status).startTime),
    active: numberIn(objectIn(status).active) ?? 0,
    conditions: conditionsIn(objectIn(status).conditions),
  };
};

const containerOf = (raw: Json, init: boolean): SeenContainer => {
  const state = objectIn(raw.state);
  const name = (['running', 'terminated', 'waiting'] as const).find((key) => state[key] !== undefined);
  const details = name === undefined ? {} : objectIn(state[name]);
  return {
    name: wordIn(raw.name),
    init,
    state: name ?? 'unknown',
    reason: wordIn(details.reason),
    message: messageIn(details.message),
    exitCode: numberIn(details.exitCode),
    signal: numberIn(details.signal) || undefined,
    startedAt: timeIn(details.startedAt),
    finishedAt: timeIn(details.finishedAt),
  };
};

/** Labels by which pods name their Job; older clusters write only the second one. */
const jobNameLabels = ['batch.kubernetes.io/job-name', 'job-name'] as const;

/** Undefined for an object without a name. */
export const seenPod = (raw: unknown): SeenPod | undefined => {
  const { metadata, spec, status } = objectIn(raw);
  const seen = objectOf(objectIn(metadata));
  if (seen.name === '') return undefined;
  const reported = objectIn(status);
  return {
    ...seen,
    job: jobNameLabels.map((label) => seen.labels[label]).find((name) => name !== undefined) ?? '',
    phase: wordIn(reported.phase),
    reason: wordIn(reported.reason),
    message: messageIn(reported.message),
    node: wordIn(objectIn(spec).nodeName),
    conditions: conditionsIn(reported.conditions),
    containers: [
      ...listIn(reported.initContainerStatuses).map((container) => containerOf(container, true)),
      ...listIn(reported.containerStatuses).map((container) => containerOf(container, false)),
    ],
  };
};

/** Whether a condition of that type is true. */
export const holds = (conditions: readonly SeenCondition[], type: string): SeenCondition | undefined =>
  conditions.find((condition) => condition.type === type && condition.status === 'True');

export const isFinished = ({ conditions }: Pick<SeenJob, 'conditions'>): boolean =>
  (holds(conditions, 'Complete') ?? holds(conditions, 'Failed')) !== undefined;
