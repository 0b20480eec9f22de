import type { AttemptEnding } from '@fleet/contracts';
import type { SeenJob, SeenPod } from '../watch/seen-objects';
import { disruptionOf, jobDeleted, quotaTakenBack } from './outcomes';

/**
 * A supervisor that is told to end knows no more than that; the cluster knows who did it. Other endings stay as they
 * are. `job` undefined: it is known to be gone.
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
  if (job === undefined || job.deletedAt !== undefined) return { ...ending, ...jobDeleted(program) };
  return job.suspended ? { ...ending, ...quotaTakenBack(program) } : ending;
};
