import type { LaunchMode } from '@fleet/contracts';

/** The words of the page for administrators, and of what everybody is told by one. */
export const operationsTexts = {
  name: 'Operations',
  refused: {
    title: 'This page is for administrators',
    why: (who: string, role: string) =>
      `You are ${who}, and your role is ${role}: what belongs to the whole service is shown to the role admin alone. Your own sessions are not affected. Ask whoever runs the service, or log in with a key of an administrator.`,
  },
  launches: {
    title: 'Launches',
    by: 'by',
    state: {
      open: { label: 'Open', meaning: 'Programs are launched as their turn comes.' },
      paused: { label: 'Paused', meaning: 'No program is launched until somebody resumes. What runs goes on.' },
      draining: {
        label: 'Draining',
        meaning: 'No program is launched, on the way to a stop of the service. What runs goes on.',
      },
    },
    act: {
      paused: {
        open: 'Pause…',
        ask: 'Pause launches?',
        what: 'No program starts until somebody resumes; those that run go on. Everybody who waits reads the reason.',
        button: 'Pause launches',
      },
      draining: {
        open: 'Drain…',
        ask: 'Drain the service?',
        what: 'As a pause, before an upgrade or a stop: once nothing runs any more the service can be stopped. Everybody who waits reads the reason.',
        button: 'Drain',
      },
      open: {
        open: 'Resume…',
        ask: 'Resume launches?',
        what: 'Programs that wait start as their turn comes.',
        button: 'Resume launches',
      },
    },
    reason: 'Reason, in one sentence that users read',
    leave: 'Leave it as it is',
    banner: {
      paused: 'No programs are started just now',
      draining: 'The service is about to be stopped',
    } satisfies Record<Exclude<LaunchMode, 'open'>, string>,
    bannerRest: 'What runs goes on; what waits starts by itself once this is over. Said',
  },
  now: {
    title: 'Now',
    runs: (count: number) =>
      `${String(count)} program${count === 1 ? ' runs' : 's run'} or stand${count === 1 ? 's' : ''} in line on the backend`,
    waits: (count: number) => `${String(count)} wait${count === 1 ? 's' : ''}`,
    oldest: 'the oldest since',
    class: 'Nodes',
    proposal: 'Proposal',
    running: 'Running',
    waiting: 'Waiting',
    longest: 'Waits longest',
    none: 'Nothing runs and nothing waits.',
    first: (count: number) => `What waits is counted among the ${String(count)} sessions that were submitted first.`,
  },
  health: {
    title: 'Health',
    up: 'All right',
    down: 'Not all right',
    names: { redis: 'Redis', workRoot: 'Work folder', queues: 'Queues', programs: 'Programs' } as Readonly<
      Record<string, string>
    >,
  },
  shares: {
    title: 'Shares',
    setBy: { configuration: 'as it is configured', administrator: 'set by an administrator' },
    none: 'No limits: every proposal has the same weight.',
    change: 'To change them: phx admin shares.',
    limits: {
      maxPerProposal: 'programs of one proposal at once',
      maxGpuPerProposal: 'of them on GPUs',
      maxPerUser: 'programs of one submitter at once',
      maxLive: 'programs of priority live at once',
      maxStandard: 'programs of priority standard at once',
      maxBackfill: 'programs of priority backfill at once',
      startsPerDayPerProposal: 'programs that a proposal may start a day',
      startsPerDayPerUser: 'programs that a submitter may start a day',
    },
    live: 'may submit with priority live',
    proposal: 'Proposal',
    weight: 'Weight',
    most: 'At once',
    daily: 'A day',
  },
  orphans: {
    title: 'Orphans',
    what: 'Runs on the backend that no session wants. One that was seen twice may be removed.',
    none: 'There is none.',
    run: 'Run',
    since: 'First seen',
    because: 'Why',
    session: 'Session',
    removing: 'is being removed',
    once: 'seen once',
    twice: 'may be removed',
    open: (count: number) => `Remove ${String(count)}…`,
    ask: (count: number) => `Remove ${String(count)} run${count === 1 ? '' : 's'}?`,
    check: 'An executor looks once more that no session wants them, and ends them. Their folders stay.',
    button: (count: number) => `Remove ${String(count)} run${count === 1 ? '' : 's'}`,
  },
  audit: {
    title: 'Audit',
    none: 'Nothing was written down yet.',
    when: 'When',
    who: 'Who',
    nobody: 'nobody known',
    did: 'What',
    object: 'To what',
    outcome: 'Outcome',
    filter: 'Who',
    next: 'Earlier ones',
    first: 'The newest',
    csv: 'Table (CSV)',
    damages: (count: number) =>
      `${String(count)} file${count === 1 ? '' : 's'} of the log ${count === 1 ? 'is' : 'are'} not as written: phx admin audit says which.`,
  },
} as const;
