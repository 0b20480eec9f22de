import { lookedAt, rawJob, rawPod, type RawJobChanges, type RawPodChanges } from '@fleet/testing';
import { seenJob, seenPod } from '../watch/seen-objects';
import type { ClusterSight } from './cluster-run-state';

/** A Job and its pods, as far as they differ from usual ones. */
export interface ClusterSetUp extends RawJobChanges {
  readonly pods?: readonly RawPodChanges[];
}

export const limits = { gpuWaitSeconds: 600, pendingLimitSeconds: 3_600, imagePullLimitSeconds: 300 };

/** What a backend with usual limits sees of them. */
export const sightOf = ({ pods = [], ...told }: ClusterSetUp): ClusterSight => {
  const job = seenJob(rawJob(told));
  if (job === undefined) throw new Error('the Job of a test has no name');
  return {
    now: lookedAt,
    limits,
    job,
    pods: pods.flatMap((pod, serial) => seenPod(rawPod(pod, serial)) ?? []),
  };
};
