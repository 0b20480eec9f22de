import { describeChaos } from './chaos-scenarios';

// @needs cluster-parts
describeChaos({
  sessions: 6,
  withinMs: 600_000,
  fleet: {
    cycles: 3,
    executors: 3,
    nodes: 3,
    maxRunning: 8,
    programMs: [1_000, 3_000],
    relistSeconds: 2,
    rate: [50, 100],
  },
  troubles: {
    executorKills: 3,
    killPauseMs: [500, 2_500],
    parts: ['apiserver', 'etcd', 'controller-manager'],
    partDownMs: 1_500,
    partPauseMs: 2_000,
    podsDeleted: 2,
    podsEvicted: 2,
    jobsDeleted: 2,
    postgresCrashes: 1,
    redisEmptied: 1,
    disturbPauseMs: [500, 2_500],
    firstAttemptsOnly: true,
    nodes: ['rebooted'],
    nodeAwayMs: 0,
  },
});
