import { attemptExitCodes } from '@fleet/attempt-runner';
import { keys } from '../job/job-labels';
import { holds, type SeenCondition, type SeenPod } from '../watch/seen-objects';
import { judgePending, waitedForGpu } from './judge-pending';
import {
  disruptionOf,
  jobDeleted,
  nodeSilent,
  outcomeOfPod,
  pastDeadline,
  podGone,
  resultUnseen,
  unschedulable,
} from './outcomes';
import { hasRun, isOver, isRunning, mainOf } from './program-container';
import { ended, waiting, type ClusterSight, type ClusterRunState } from './cluster-run-state';

/** A pod that still exists this long after its deletion deadline is on a node that does not respond; milliseconds. */
const overdueMs = 30_000;
/**
 * The Job controller normally reports the end of a pod within a second; the backend waits for it at most this long, in
 * milliseconds.
 */
const controllerTimeoutMs = 60_000;

/** The Job controller normally creates a pod at once; after this many milliseconds it counts as blocked. */
const podTimeoutMs = 10_000;

/** The name of a Job's program, for messages. */
const programOf = ({ annotations }: Pick<ClusterSight['job'], 'annotations'>): string =>
  annotations[keys.program] || 'The program';

/** Judges by the Job's conditions, then by its pods, never by the log. Missing fields have no effect. */
export const judgeRun = (sight: ClusterSight): ClusterRunState => {
  const { job, pods } = sight;
  const failed = holds(job.conditions, 'Failed');
  const finished = failed ?? holds(job.conditions, 'Complete');
  if (finished !== undefined) return judgeFinished(sight, finished);
  const silent = pods.find((pod) => isOverdue(pod, sight.now));
  if (silent !== undefined) return ended(nodeSilent(programOf(job), silent.node), silent);
  const running = pods.find(isRunning);
  if (running !== undefined) return { state: 'running', startedAt: startOf(running) };
  if (job.deletedAt !== undefined) return judgeDeleted(sight);
  return judgeLatest(sight);
};

const judgeLatest = (sight: ClusterSight): ClusterRunState => {
  const { job, now } = sight;
  const pod = latest(sight.pods);
  if (pod !== undefined && hasRun(pod)) return judgeOver(sight, pod);
  if (job.suspended) {
    return waitedForGpu(sight) ?? waiting('it is queued: the cluster has not admitted it yet');
  }
  if (pod !== undefined && pod.deletedAt === undefined) return judgePending(sight, pod);
  return judgePodless(sight, now - (job.startedAt ?? job.createdAt ?? now));
};

const judgePodless = (sight: ClusterSight, ageMs: number): ClusterRunState => {
  if (ageMs < podTimeoutMs) return waiting('its pod is about to be created');
  return waitedForGpu(sight) ?? { ...waiting('the cluster does not create a pod for it'), unexplained: true };
};

/** A pod has ended and its Job has not: the Job is about to end, or creates a replacement for a disrupted pod. */
const judgeOver = ({ job, now }: ClusterSight, pod: SeenPod): ClusterRunState => {
  if (disruptionOf(programOf(job), pod) !== undefined) {
    return waiting('its pod was removed before the program started, and another one is being created');
  }
  if (now - (endOf(pod) ?? now) < controllerTimeoutMs) return { state: 'running', startedAt: startOf(pod) };
  return ended(outcomeOfPod(programOf(job), pod, attemptExitCodes.elsewhere), pod);
};

const judgeDeleted = ({ job, pods }: ClusterSight): ClusterRunState =>
  pods.every(isOver) ? ended(jobDeleted(programOf(job)), latest(pods)) : waiting('its Job is being deleted');

const judgeFinished = ({ job, pods, limits }: ClusterSight, condition: SeenCondition): ClusterRunState => {
  const program = programOf(job);
  const pod = mostTelling(pods);
  if (condition.reason === 'DeadlineExceeded') {
    const started = pods.some((seen) => startOf(seen) !== undefined);
    return ended(started ? pastDeadline(program) : unschedulable(program, limits.pendingLimitSeconds, ''), pod);
  }
  // Lists leave out the pods of complete Jobs.
  if (pod === undefined) {
    return ended(condition.type === 'Failed' ? podGone(program, condition.message) : resultUnseen(program));
  }
  return ended(outcomeOfPod(program, pod, attemptExitCodes.elsewhere), pod);
};

const latest = (pods: readonly SeenPod[]): SeenPod | undefined =>
  [...pods].sort((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0))[0];

/** A pod that only found the attempt claimed says nothing about how it ended. */
const mostTelling = (pods: readonly SeenPod[]): SeenPod | undefined =>
  latest(pods.filter((pod) => mainOf(pod)?.exitCode !== attemptExitCodes.elsewhere)) ?? latest(pods);

const isOverdue = (pod: SeenPod, now: number): boolean =>
  !isOver(pod) && pod.deletedAt !== undefined && now > pod.deletedAt + overdueMs;

const startOf = (pod: SeenPod): number | undefined => mainOf(pod)?.startedAt;
const endOf = (pod: SeenPod): number | undefined => mainOf(pod)?.finishedAt;
