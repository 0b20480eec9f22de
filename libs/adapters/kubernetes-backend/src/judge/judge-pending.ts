import { keys } from '../job/job-labels';
import type { SeenContainer, SeenPod } from '../watch/seen-objects';
import { cannotStart, gpuUnavailable, imageUnavailable, unschedulable } from './outcomes';
import { ended, waiting, type ClusterSight, type ClusterRunState } from './cluster-run-state';

/** Reasons of a waiting container that may pass: the registry may respond again. */
const passingImageTroubles = new Set(['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable', 'ImageInspectError']);
/** Reasons that stay until the settings change. */
const lastingImageTroubles = new Set(['InvalidImageName', 'ErrImageNeverPull']);
/** Errors that the kubelet retries: a missing Secret, a runtime that is starting. */
const startTroubles = new Set(['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError']);
/** Time limit for a container to start; milliseconds. */
const startTimeoutMs = 120_000;

const programOf = ({ job }: ClusterSight): string => job.annotations[keys.program] || 'The program';

/** The end of the wait for an optional GPU; undefined while the wait may continue. */
export const waitedForGpu = (sight: ClusterSight): ClusterRunState | undefined => {
  const { job, now, limits } = sight;
  if (job.annotations[keys.mayFallBack] !== 'true' || job.labels[keys.class] !== 'gpu') return undefined;
  const waited = now - (job.createdAt ?? now);
  if (waited <= limits.gpuWaitSeconds * 1_000) return undefined;
  return ended(gpuUnavailable(programOf(sight), Math.round(waited / 1_000)));
};

/** A pod whose program has not started. */
export const judgePending = (sight: ClusterSight, pod: SeenPod): ClusterRunState => {
  const scheduled = pod.conditions.find(({ type }) => type === 'PodScheduled');
  const isScheduled = pod.node !== '' || scheduled?.status === 'True';
  if (!isScheduled) return judgeUnscheduled(sight, pod, scheduled?.message ?? '');
  return judgeScheduled(sight, pod, scheduled?.since ?? pod.createdAt ?? sight.now);
};

const judgeScheduled = (sight: ClusterSight, pod: SeenPod, takenAt: number): ClusterRunState => {
  const trouble = pod.containers
    .filter(({ state, reason }) => state === 'waiting' && reason !== '')
    .map((container) => judgeContainer(sight, container, sight.now - takenAt))
    .find((runState) => runState !== undefined);
  const node = pod.node === '' ? 'a node' : pod.node;
  return trouble ?? waiting(`its pod is being prepared on ${node}: pulling the image, mounting volumes`);
};

const judgeUnscheduled = (sight: ClusterSight, pod: SeenPod, detail: string): ClusterRunState => {
  const { job, now, limits } = sight;
  const fallBack = waitedForGpu(sight);
  if (fallBack !== undefined) return fallBack;
  const since = job.startedAt ?? pod.createdAt ?? now;
  if (now - since > limits.pendingLimitSeconds * 1_000) {
    return ended(unschedulable(programOf(sight), limits.pendingLimitSeconds, detail), pod);
  }
  return waiting(
    detail === '' ? 'the scheduler has not found a node for it yet' : `no node can run it at the moment: ${detail}`,
  );
};

/** Undefined if the container only waits for another one. */
const judgeContainer = (sight: ClusterSight, container: SeenContainer, ageMs: number): ClusterRunState | undefined => {
  const program = programOf(sight);
  const { reason, message } = container;
  const detail = message || reason;
  if (lastingImageTroubles.has(reason)) return ended(imageUnavailable(program, detail));
  if (passingImageTroubles.has(reason)) {
    const isOver = ageMs > sight.limits.imagePullLimitSeconds * 1_000;
    return isOver ? ended(imageUnavailable(program, detail)) : waiting(`its image cannot be pulled: ${detail}`);
  }
  if (startTroubles.has(reason)) {
    return ageMs > startTimeoutMs
      ? ended(cannotStart(program, detail))
      : waiting(`its container does not start: ${detail}`);
  }
  return undefined;
};
