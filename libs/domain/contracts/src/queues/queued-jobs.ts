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
const jobRelevances = ['due', 'stale', 'unknown'] as const;
export type JobRelevance = (typeof jobRelevances)[number];

const jobMembers = {
  id: text('id of the wake-up: `<session>-v<version>-w<wake-ups>`'),
  queue: queueName,
  job: text('name of the step'),
  place: choice(jobPlaces),
  relevance: choice(jobRelevances),
  tries: count('number of finished tries'),
  mostTries: count('maximum number of tries'),
  addedAt: time(),
} as const;
const jobOptions = {
  sessionId: text('absent if the payload is unreadable'),
  title: text('status of its session; absent: no such session'),
  startedAt: time('start of the last try'),
  endedAt: time('end of the last try'),
  beginsAt: time('for a delayed job: time of the next try'),
  reason: line('message of the last failure'),
} as const;

const queuedJobViewSchema = record('QueuedJob', jobMembers, jobOptions, 'a wake-up in its queue');
export type QueuedJobView = Described<typeof queuedJobViewSchema>;

export const queuedJobDetailSchema = record(
  'QueuedJobDetail',
  {
    ...jobMembers,
    payload: text('payload as JSON, shortened: ids and versions, never file contents'),
    stack: list(text(), 'stack trace of the last failure, one line per entry'),
  },
  jobOptions,
  'a wake-up in its queue, with all details',
);
export type QueuedJobDetail = Described<typeof queuedJobDetailSchema>;

export const queuedJobsPageSchema = record(
  'QueuedJobs',
  {
    jobs: list(queuedJobViewSchema),
    hidden: count('jobs of this page that are hidden because the caller may not see their sessions'),
    total: count('number of jobs in this state'),
  },
  { nextOffset: count('pass it as ?offset= to continue; absent on the last page') },
);
export type QueuedJobsPage = Described<typeof queuedJobsPageSchema>;

const queueViewSchema = record(
  {
    name: queueName,
    isPaused: flag('whether the queue is paused in BullMQ; the service itself never pauses a queue'),
    jobs: record(
      { active: count(), waiting: count(), delayed: count(), failed: count() },
      {},
      'number of jobs in each state',
    ),
  },
  { oldestWaitingAt: time('time when the oldest waiting job was added; absent: none waits') },
  'a queue',
);
export type QueueView = Described<typeof queueViewSchema>;

export const queuesViewSchema = record('QueueList', { queues: list(queueViewSchema) });
export type QueuesView = Described<typeof queuesViewSchema>;
