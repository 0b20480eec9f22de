import { describeChaos, type ChaosFigures } from './chaos-scenarios';

// @needs cluster-parts
const sessions = Number(process.env.FLEET_TEST_CHAOS_SESSIONS ?? '300');

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
      disturbPauseMs: [2_000, 6_000],
      firstAttemptsOnly: false,
      nodes: ['rebooted', 'silent', 'removed'],
      nodeAwayMs: 75_000,
    },
  },
  (scenario: string, figures: ChaosFigures) => {
    console.log(scenario, JSON.stringify(figures, undefined, 2));
  },
);
