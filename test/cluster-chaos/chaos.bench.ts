import { deliver, figure, type Figure } from '../bench/figures';
import { describeChaos, memoryAfter, memoryBefore, wall } from './chaos-scenarios';

// @needs cluster-parts
const sessions = Number(process.env.FLEET_TEST_CHAOS_SESSIONS ?? '300');
const figures: Figure[] = [];

describeChaos(
  {
    sessions,
    withinMs: 1_800_000,
    fleet: {
      cycles: 4,
      executors: 3,
      nodes: 5,
      maxRunning: 40,
      programMs: [1_000, 6_000],
      relistSeconds: 15,
      rate: [10, 25],
    },
    troubles: {
      executorKills: 30,
      killPauseMs: [2_000, 6_000],
      parts: ['apiserver', 'etcd', 'controller-manager', 'scheduler', 'apiserver', 'etcd', 'controller-manager'],
      partDownMs: 5_000,
      partPauseMs: 12_000,
      podsDeleted: 20,
      podsEvicted: 20,
      jobsDeleted: 20,
      postgresCrashes: 5,
      redisEmptied: 5,
      disturbPauseMs: [2_000, 6_000],
      firstAttemptsOnly: false,
      nodes: ['rebooted', 'silent', 'removed'],
      nodeAwayMs: 75_000,
    },
  },
  (scenario, seen) => {
    const of = (name: string): number => seen[name] ?? Number.NaN;
    figures.push(
      figure(`chaos ${scenario}: sessions that ended as without chaos`, of('sessions'), '>=', sessions),
      figure(`chaos ${scenario}: seconds until all had ended`, of(wall), '<=', 1_800),
      figure(`chaos ${scenario}: memory of an executor, end over start`, of(memoryAfter) / of(memoryBefore), '<=', 2),
    );
  },
);

afterAll(() => deliver(figures));
