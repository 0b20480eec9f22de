import type { Outcome } from '@fleet/attempt-runner';
import type { SeenJob, SeenPod } from '../watch/seen-objects';

/** How long things may last, from the settings; seconds. */
interface JudgeLimits {
  readonly gpuWaitSeconds: number;
  readonly pendingLimitSeconds: number;
  readonly imagePullLimitSeconds: number;
}

/** A Job, its pods, and the time in milliseconds since 1970: all that is judged. */
export interface ClusterSight {
  readonly job: SeenJob;
  readonly pods: readonly SeenPod[];
  readonly now: number;
  readonly limits: JudgeLimits;
}

/** What the cluster alone tells of a run. What its files say counts for more. */
export type ClusterRunState =
  /** `unexplained`: the cluster's events may say more. */
  | { readonly state: 'waiting'; readonly reason: string; readonly unexplained?: true }
  | { readonly state: 'running'; readonly startedAt: number | undefined }
  /** Nothing runs any more, or shall not any more; `outcome` is what is said when there is no result. */
  | { readonly state: 'ended'; readonly outcome: Outcome; readonly pod: SeenPod | undefined };

export const ended = (outcome: Outcome, pod?: SeenPod): ClusterRunState => ({ state: 'ended', outcome, pod });
export const waiting = (reason: string): Extract<ClusterRunState, { state: 'waiting' }> => ({
  state: 'waiting',
  reason,
});
