import type { JobPlace, JobRelevance, QueueName } from '@fleet/contracts/queues';

/** The words of the page of the queues. */
export const queueTexts = {
  name: 'Queues',
  refused: {
    title: 'This page is for staff and administrators',
    why: (who: string, role: string) =>
      `You are logged in as ${who} with the role ${role}. The pages of your own sessions show what they wait for.`,
  },
  what: 'A job is only a wake-up: the next step of a session is in its record. A lost job is created again automatically, a stale job does nothing, and completed jobs are deleted.',
  queue: 'Queue',
  queues: {
    decisions: 'choose the next program',
    executions: 'start and monitor programs',
    analyses: 'read logs',
  } satisfies Record<QueueName, string>,
  places: {
    active: 'Active',
    waiting: 'Waiting',
    delayed: 'Delayed',
    failed: 'Failed permanently',
  } satisfies Record<JobPlace, string>,
  oldest: 'Oldest waiting since',
  noneWaiting: 'none waiting',
  paused: 'Paused by an external queue tool, because this service never pauses a queue. No job of this queue starts.',
  list: (place: string, queue: string) => `${place}, ${queue}`,
  order: { label: 'Order', oldest: 'Oldest first', newest: 'Newest first' },
  none: 'No jobs.',
  job: 'Job',
  session: 'Session',
  relevance: 'Relevance',
  relevances: {
    due: { label: 'Due', meaning: 'Its session is at this step.' },
    stale: { label: 'Stale', meaning: 'Its session has moved on. The job does nothing when it starts.' },
    unknown: { label: 'Unknown', meaning: 'The session does not exist, or the job does not name one.' },
  } satisfies Record<JobRelevance, { label: string; meaning: string }>,
  tries: 'Tries',
  triesOf: (tries: number, most: number) => `${String(tries)} of ${String(most)}`,
  reason: 'Last message',
  time: { active: 'Started', waiting: 'Added', delayed: 'Next try', failed: 'Failed' } satisfies Record<
    JobPlace,
    string
  >,
  shown: (from: number, to: number, total: number) => `${String(from)} to ${String(to)} of ${String(total)}`,
  hidden: (count: number) => `${String(count)} hidden: their sessions belong to other beamlines or proposals.`,
  first: 'First page',
  next: 'Next',
  back: '← Job list',
  detail: {
    step: 'Step',
    queue: 'Queue',
    added: 'Added',
    started: 'Last started',
    ended: 'Last try ended',
    begins: 'Next try',
    payload: 'Payload',
    stack: 'Stack trace',
    copy: 'Copy job id',
  },
  deadSteps: 'Retry it with:',
  gone: 'This job is done and no longer in its queue. Its session shows the outcome.',
  hasten: {
    open: 'Start now…',
    ask: 'Start this job now?',
    what: 'The job starts without further delay. This is safe because its step checks the session first.',
    button: 'Start now',
  },
} as const;
