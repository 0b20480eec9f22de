import { patientRetries, type RetryPolicy } from './api/retry-policy';

/** How patiently the backend waits for a cluster. Milliseconds. */
export interface Pace {
  /** One try of a call to the API server. */
  readonly callMs: number;
  readonly retries: RetryPolicy;
  /** The first lists must have come after this long. */
  readonly firstListsMs: number;
  /** After a failed list or watch; doubled each time. */
  readonly watchPauseMs: number;
  /** Until the first check of a run whose result is not visible yet; doubled each time. */
  readonly firstCheckMs: number;
  /** Between two checks of pods that shall end. */
  readonly podPollMs: number;
  /** While pods are seen, the server itself is asked this often whether they are still there. */
  readonly podConfirmMs: number;
  /** Pods must be gone this long after a cancellation; otherwise it is tried again. */
  readonly cancelMs: number;
  readonly probePollMs: number;
  /** A record of programs is visible this long after its Job's end. */
  readonly recordMs: number;
  /** Once one source has answered, the others have this long; what comes later counts the next time. */
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
