import type { AttemptRecord, CycleRecord, StopReason } from '@fleet/contracts/sessions';
import { aCycle, aDecision, aNewSession, anAttempt, aRequest, aResult, ManualClock } from '@fleet/testing';
import { openStore } from '../support/servers';

const minute = 60_000;
const hour = 60 * minute;

/** How sessions end, over and over. */
const reasons: readonly StopReason[] = [
  ...(['converged', 'plateau', 'converged', 'unsatisfactory', 'converged', 'program_failed', 'goal_reached'] as const),
  ...([
    'converged',
    'infrastructure',
    'converged',
    'cancelled',
    'converged',
    'max_cycles',
    'refinement_limit',
  ] as const),
  ...(['no_program', 'converged', 'converged'] as const),
];
const makers = [
  'phenix.phaser',
  'phenix.refine',
  'phenix.predict_and_build',
  'phenix.phaser',
  'phenix.autosol',
] as const;

const attempt = (minutes: number, cpus: number, kind: 'cpu' | 'gpu'): AttemptRecord => {
  const { ending, ...launched } = anAttempt({ resources: { class: kind, cpus, memoryMiB: 1024 } });
  return { ...launched, ...(ending !== undefined && { ending: { ...ending, durationMs: minutes * minute } }) };
};

const cyclesOf = (number: number, submitted: number): readonly CycleRecord[] => {
  const maker = makers[number % makers.length] ?? 'phenix.refine';
  const analysedAfter = (hours: number): string => new Date(submitted + hours * hour).toISOString();
  const isPredicted = maker === 'phenix.predict_and_build';
  return [
    aCycle({
      cycle: 1,
      decision: aDecision({ program: maker }),
      attempts: [attempt(20 + (number % 7) * 12, 4, isPredicted ? 'gpu' : 'cpu')],
      result: aResult({ metrics: {}, analysedAt: analysedAfter(1) }),
    }),
    aCycle({
      cycle: 2,
      decision: aDecision({ program: 'phenix.refine' }),
      attempts: [attempt(10 + (number % 5) * 9, 4, 'cpu')],
      result: aResult({
        metrics: { r_free: 0.2 + (number % 9) / 60 },
        analysedAt: analysedAfter(1.5 + (number % 11) / 3),
      }),
    }),
  ];
};

/** The first of a month, UTC. */
export const monthsAgo = (months: number): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
};

/** What the number of a session makes of it. */
const requestOf = (number: number) =>
  aRequest({
    title: `Dataset ${String(number)}`,
    proposal: `mx${String(1001 + (number % 6))}`,
    beamline: ['i03', 'i04', 'i24', ''][number % 4]!,
    submitter: ['ada', 'bob', 'rosalind'][number % 3]!,
  });

/**
 * Sessions of a facility: `perMonth` in each of the last 14 months, but none ten months ago. Their proposals, beamlines, resolutions, paths, times and
 * outcomes vary with their number. One in 17 was rejected before a program ran; of the current month every seventh runs.
 */
export const fillStatistics = async (databaseUrl: string, perMonth: number): Promise<void> => {
  const clock = new ManualClock();
  const { store, close } = await openStore(databaseUrl, clock);
  const setTo = (time: number): void => clock.forward(time - clock.now());
  const session = async (number: number, submitted: number, reason: StopReason | undefined): Promise<void> => {
    setTo(submitted);
    const cycles = reason === 'no_program' ? [] : cyclesOf(number, submitted);
    const resume = { status: 'running', stage: 'deciding', cycle: cycles.length + 1, attempt: 1, cycles } as const;
    const createdAt = new Date(submitted).toISOString();
    const made = aNewSession({ createdAt, request: requestOf(number), resume });
    await store.records.create(made, [], 1_000);
    if (reason === undefined) return;
    setTo(submitted + (2 + (number % 13) + (number % 29 === 0 ? 40 : 0)) * hour);
    const to = { ended: { reason, detail: 'done', afterCycle: cycles.length } };
    const progress = { maxCycles: 20, ...(number % 10 !== 9 && { resolution: 1 + (number % 25) / 10 }) };
    await store.records.advance({ sessionId: made.id, fromVersion: 1, to, events: [], dueInMs: 1_000, progress });
  };
  for (const months of [13, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    for (let one = 0; one < perMonth; one += 1) {
      const number = months * perMonth + one;
      const reason = months === 0 && one % 7 === 3 ? undefined : reasons[number % reasons.length];
      await session(number, monthsAgo(months).getTime() + one * hour, reason);
    }
  await close();
};
