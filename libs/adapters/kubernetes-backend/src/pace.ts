import { patientRetries, type RetryPolicy } from './api/retry-policy';

/** Timeouts and intervals of the backend. Milliseconds. */
export interface Pace {
  /** Timeout of one try of an API call. */
  readonly callMs: number;
  readonly retries: RetryPolicy;
  /** Time limit for the first lists. */
  readonly firstListsMs: number;
  /** Pause after a failed list or watch; doubled each time. */
  readonly watchPauseMs: number;
  /** Delay until the first check of a run without a visible result; doubled each time. */
  readonly firstCheckMs: number;
  /** Between two checks of pods that must end. */
  readonly podPollMs: number;
  /** Interval at which the server is queried for cached pods. */
  readonly podConfirmMs: number;
  /** Time limit for pods to end after a cancellation; then it is retried. */
  readonly cancelMs: number;
  readonly probePollMs: number;
  /** Time limit for a probe record to become visible after its Job's end. */
  readonly recordMs: number;
  /** Time limit for the other sources once one has answered; a later answer counts the next time. */
  readonly laggardsMs: number;
  readonly trialPollMs: number;
}

export const usualPace: Pace = {
  callMs: 8_000,
  retries: patientRetries,
  firstListsMs: 10_000,
  watchPauseMs: 500,
  firstCheckMs: 250,
  podPollMs: 250,
  podConfirmMs: 5_000,
  cancelMs: 15_000,
  probePollMs: 1_000,
  recordMs: 5_000,
  laggardsMs: 15_000,
  trialPollMs: 500,
};
