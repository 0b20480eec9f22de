import type { AttemptEnding } from '@fleet/contracts/sessions';
import { holds, type SeenJob, type SeenPod } from '../watch/seen-objects';
import { disruptionOf, jobDeleted, pastDeadline, quotaTakenBack } from './outcomes';

/**
 * A supervisor that receives SIGTERM does not know why; the cluster does. Other endings stay unchanged. `job`
 * undefined: it was deleted.
 */
export const refineDisruption = (
  ending: AttemptEnding,
  program: string,
  job: SeenJob | undefined,
  pods: readonly SeenPod[],
): AttemptEnding => {
  if (ending.kind !== 'disrupted') return ending;
  const taken = pods.map((pod) => disruptionOf(program, pod)).find((outcome) => outcome !== undefined);
  if (taken !== undefined) return { ...ending, ...taken };
  if (isPastDeadline(job, pods)) return { ...ending, ...pastDeadline(program) };
  if (job === undefined || job.deletedAt !== undefined) return { ...ending, ...jobDeleted(program) };
  return job.suspended ? { ...ending, ...quotaTakenBack(program) } : ending;
};

/** The deadline of the pod, or that of its Job. */
const isPastDeadline = (job: SeenJob | undefined, pods: readonly SeenPod[]): boolean => {
  const target = holds(job?.conditions ?? [], 'FailureTarget') ?? holds(job?.conditions ?? [], 'Failed');
  return target?.reason === 'DeadlineExceeded' || pods.some(({ reason }) => reason === 'DeadlineExceeded');
};
