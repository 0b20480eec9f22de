import { describeChaos } from './chaos-scenarios';

// @needs cluster-parts
describeChaos({
  sessions: 12,
  withinMs: 600_000,
  fleet: {
    cycles: 4,
    executors: 3,
    nodes: 3,
    maxRunning: 8,
    programMs: [1_000, 3_000],
    relistSeconds: 2,
    rate: [50, 100],
  },
  troubles: {
    executorKills: 5,
    killPauseMs: [500, 2_500],
    parts: ['apiserver', 'etcd', 'controller-manager'],
    partDownMs: 1_500,
    partPauseMs: 2_000,
    podsDeleted: 3,
    podsEvicted: 3,
    jobsDeleted: 3,
    disturbPauseMs: [500, 2_500],
    firstAttemptsOnly: true,
    nodes: ['rebooted'],
    nodeAwayMs: 0,
  },
});
