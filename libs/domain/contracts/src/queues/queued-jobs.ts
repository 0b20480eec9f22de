import { choice, flag, list, record, text, type Described } from '../schema/schema';
import { count, line, time } from '../schema/schema-fields';
import { Queues, type QueueName } from './queues';

const queueName = choice(Object.values(Queues) as [QueueName, ...QueueName[]]);

/**
 * The state of a job in its queue:
 * - `active`: a worker has it;
 * - `waiting`: no worker has taken it yet;
 * - `delayed`: it is retried later;
 * - `failed`: it is no longer retried.
 * Finished jobs are deleted.
 */
export const jobPlaces = ['active', 'waiting', 'delayed', 'failed'] as const;
export type JobPlace = (typeof jobPlaces)[number];

/** Sort by when a job was added; delayed ones by when they begin, failed ones by when they failed. */
export const jobOrders = ['newest', 'oldest'] as const;
export type JobOrder = (typeof jobOrders)[number];

/**
 * Whether a job has an effect, because the session's record is the source of truth:
 * - `due`: its session is at this step;
 * - `stale`: its session has moved on, so the job has no effect;
 * - `unknown`: the session does not exist, or the job does not name it.
 */
export const jobRelevances = ['due', 'stale', 'unknown'] as const;
export type JobRelevance = (typeof jobRelevances)[number];

const jobMembers = {
  id: text('of its wake-up: `<session>-v<version>-w<wake-ups>`'),
  queue: queueName,
  job: text('the step'),
  place: choice(jobPlaces),
  relevance: choice(jobRelevances),
  tries: count('tries that were begun and have ended'),
  mostTries: count('after as many it is failed'),
  addedAt: time(),
} as const;
const jobOptions = {
  sessionId: text('absent where its payload cannot be read'),
  title: text('of its session; absent where there is none'),
  startedAt: time('when a worker took it up last'),
  endedAt: time('when its last try ended'),
  beginsAt: time('of a delayed one: when it is tried again'),
  reason: line('what its last failure said'),
} as const;

export const queuedJobViewSchema = record('QueuedJob', jobMembers, jobOptions, 'a wake-up in its queue');
export type QueuedJobView = Described<typeof queuedJobViewSchema>;

export const queuedJobDetailSchema = record(
  'QueuedJobDetail',
  {
    ...jobMembers,
    payload: text('as JSON, shortened: ids and versions, never contents of files'),
    stack: list(text(), 'where the last failure came from, a line an entry'),
  },
  jobOptions,
  'a wake-up in its queue, with all that its queue knows of it',
);
export type QueuedJobDetail = Described<typeof queuedJobDetailSchema>;

export const queuedJobsPageSchema = record(
  'QueuedJobs',
  {
    jobs: list(queuedJobViewSchema),
    hidden: count('jobs of this page that are left out: their sessions are foreign'),
    total: count('jobs at this place of the queue'),
  },
  { nextOffset: count('pass it as ?offset= to continue; absent on the last page') },
);
export type QueuedJobsPage = Described<typeof queuedJobsPageSchema>;

const queueViewSchema = record(
  {
    name: queueName,
    isPaused: flag('whether the queue itself gives out no jobs; nothing of this service pauses one'),
    jobs: record(
      { active: count(), waiting: count(), delayed: count(), failed: count() },
      {},
      'how many are at each place',
    ),
  },
  { oldestWaitingAt: time('when the one was added that waits longest; absent where none waits') },
  'a queue',
);
export type QueueView = Described<typeof queueViewSchema>;

export const queuesViewSchema = record('QueueList', { queues: list(queueViewSchema) });
export type QueuesView = Described<typeof queuesViewSchema>;
