import { choice, flag, list, record, text, type Described } from '../schema/schema';
import { count, line, time } from '../schema/schema-fields';
import { Queues, type QueueName } from './queues';

const queueName = choice(Object.values(Queues) as [QueueName, ...QueueName[]]);

/**
 * Where a job is in its queue:
 * - `active`: a worker has it;
 * - `waiting`: no worker has taken it up yet;
 * - `delayed`: it is tried again later;
 * - `failed`: it is no longer retried.
 *
 * One that is done is not kept.
 */
export const jobPlaces = ['active', 'waiting', 'delayed', 'failed'] as const;
export type JobPlace = (typeof jobPlaces)[number];

/** By when a job was added; delayed ones by when they begin, failed ones by when they did. */
export const jobOrders = ['newest', 'oldest'] as const;
export type JobOrder = (typeof jobOrders)[number];

/**
 * What a job is worth, for the session's record is the truth:
 * - `due`: its session is at this step;
 * - `stale`: its session has moved on, so that nothing happens when it is taken up;
 * - `unknown`: there is no such session, or the job does not say which.
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
