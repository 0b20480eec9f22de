import type { JobPlace, JobStanding, QueueName } from '@fleet/contracts';

/** The words of the page of the queues. */
export const queueTexts = {
  name: 'Queues',
  refused: {
    title: 'This page is for staff and administrators',
    why: (who: string, role: string) =>
      `You are ${who}, and your role is ${role}. Your own sessions say on their pages what they wait for.`,
  },
  what: 'A job is only a wake-up: what a session does next is in its record. So a lost job is made again by itself, a stale one does nothing, and done ones are not kept.',
  queue: 'Queue',
  queues: {
    decisions: 'what runs next',
    executions: 'programs are started and looked after',
    analyses: 'logs are read',
  } satisfies Record<QueueName, string>,
  places: {
    active: 'Active',
    waiting: 'Waiting',
    delayed: 'Tried again later',
    failed: 'Failed for good',
  } satisfies Record<JobPlace, string>,
  oldest: 'Oldest waits since',
  nobodyWaits: 'none waits',
  paused: 'Paused by somebody with a tool for queues: nothing of this service does that, and no job of it is taken up.',
  list: (place: string, queue: string) => `${place}, ${queue}`,
  order: { label: 'Order', oldest: 'Oldest first', newest: 'Newest first' },
  none: 'There are none.',
  job: 'Job',
  session: 'Session',
  standing: 'Is it needed?',
  standings: {
    due: { label: 'Due', meaning: 'Its session is at this step.' },
    stale: { label: 'Stale', meaning: 'Its session has moved on: nothing happens when it is taken up.' },
    unknown: { label: 'Unknown', meaning: 'There is no such session, or the job does not say which.' },
  } satisfies Record<JobStanding, { label: string; meaning: string }>,
  tries: 'Tries',
  triesOf: (tries: number, most: number) => `${String(tries)} of ${String(most)}`,
  reason: 'What it said last',
  time: { active: 'Taken up', waiting: 'Added', delayed: 'Tried again', failed: 'Failed' } satisfies Record<
    JobPlace,
    string
  >,
  shown: (from: number, to: number, total: number) => `${String(from)} to ${String(to)} of ${String(total)}`,
  hidden: (count: number) =>
    `${String(count)} of them ${count === 1 ? 'is' : 'are'} left out: of sessions that are not of your beamlines or proposals.`,
  first: 'From the beginning',
  next: 'Next',
  back: '← The list',
  detail: {
    step: 'Step',
    queue: 'Queue',
    added: 'Added',
    started: 'Taken up last',
    ended: 'Last try ended',
    begins: 'Tried again',
    payload: 'Payload',
    stack: 'Where it failed',
    copy: 'Copy the id of the job',
  },
  deadSteps: 'To have it tried again:',
  gone: 'This job is not in its queue any more: it is done. Its session says its outcome.',
  hasten: {
    open: 'Begin now…',
    ask: 'Let this job begin now?',
    what: 'It waits for no time any more. This is harmless: its step looks at the session first.',
    button: 'Begin now',
  },
} as const;
