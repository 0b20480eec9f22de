import { lookedAt, rawJob, rawPod, type RawJobChanges, type RawPodChanges } from '@fleet/testing';
import { seenJob, seenPod } from '../watch/seen-objects';
import type { ClusterSight } from './cluster-run-state';

/** A Job and its pods, as far as they differ from the defaults. */
export interface ClusterSetUp extends RawJobChanges {
  readonly pods?: readonly RawPodChanges[];
}

export const limits = { gpuWaitSeconds: 600, pendingLimitSeconds: 3_600, imagePullLimitSeconds: 300 };

/** Converts them to the input of the judgement, with default limits. */
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
