import { Queues, workersOfQueues } from '../queues/queues';

/**
 * Allowed values of a label: one of these words, or a value that the process declares when it starts (API routes, programs of the rule book,
 * the site's models), or an HTTP status. Everything else is `other`, so that neither an id nor an external name can become a label.
 */
export type LabelValues = readonly string[] | 'declared' | 'status';

export interface MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly unit: string;
  /** Which process measures it. `fleet`: it describes all processes together, and every gateway reads it from PostgreSQL or Redis. */
  readonly by: 'every process' | 'gateway' | 'worker' | 'decision worker' | 'executor' | 'fleet';
  readonly what: string;
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Upper bounds of a histogram, in its unit. */
  readonly buckets?: readonly number[];
}

export const queue = Object.values(Queues);
export const worker = Object.values(workersOfQueues);
export const nodes = ['cpu', 'gpu'] as const;
export const step = ['decide', 'execute', 'cancel', 'analyse'] as const;
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The state of a job in a queue. `due`: its time has come and no worker has taken it yet; `later`: it is retried later. */
export const backlogStates = ['waiting', 'prioritized', 'due', 'later', 'active'] as const;
export type BacklogState = (typeof backlogStates)[number];

/** What keeps a program from starting. `next`: nothing, it starts at the next poll; `paused`: an administrator. */
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

export const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
/**
 * Durations of model calls, which take seconds or minutes; a call ends after four minutes at the latest, unless the site configures another
 * limit.
 */
export const thinking = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 240] as const;
export const long = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400] as const;
export const rFrees = [0.14, 0.16, 0.18, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.33, 0.36, 0.4, 0.45, 0.5] as const;
export const correlations = [0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95] as const;

/** Labels whose values a process declares. */
export const declaredLabels = ['route', 'group', 'program', 'target'] as const;
export type DeclaredLabel = (typeof declaredLabels)[number];

/** The label value for everything that is not declared. */
export const otherValue = 'other';
