import type { Outcome } from '@fleet/attempt-runner';
import type { SeenJob, SeenPod } from '../watch/seen-objects';

/** Time limits from the settings; seconds. */
interface JudgeLimits {
  readonly gpuWaitSeconds: number;
  readonly pendingLimitSeconds: number;
  readonly imagePullLimitSeconds: number;
}

/** The input of the judgement: a Job, its pods, and the time in milliseconds since 1970. */
export interface ClusterSight {
  readonly job: SeenJob;
  readonly pods: readonly SeenPod[];
  readonly now: number;
  readonly limits: JudgeLimits;
}

/** State of a run according to the cluster. The run's files take precedence. */
export type ClusterRunState =
  /** `unexplained`: the cluster's events may give a reason. */
  | { readonly state: 'waiting'; readonly reason: string; readonly unexplained?: true }
  | { readonly state: 'running'; readonly startedAt: number | undefined }
  /** Nothing runs any longer, or must not; `outcome` applies if there is no result. */
  | { readonly state: 'ended'; readonly outcome: Outcome; readonly pod: SeenPod | undefined };

export const ended = (outcome: Outcome, pod?: SeenPod): ClusterRunState => ({ state: 'ended', outcome, pod });
export const waiting = (reason: string): Extract<ClusterRunState, { state: 'waiting' }> => ({
  state: 'waiting',
  reason,
});
