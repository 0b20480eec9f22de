import { failureText } from '@fleet/contracts/faults';
import { finishPurge } from './purge-session';
import type { RetentionDependencies } from './retention-dependencies';

/** Milliseconds after which a deletion that was begun is somebody else's: the one that began has died. */
const claimMs = 10 * 60_000;
const mostAtOnce = 100;

/** Deletions that were left over. */
export interface FinishedPurges {
  readonly finished: number;
  readonly bytes: number;
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/** Finishes deletions that somebody has begun and not ended; one that fails keeps no other from being finished. */
export const finishPurges = async (deps: RetentionDependencies, olderThanMs = claimMs): Promise<FinishedPurges> => {
  const failed: { id: string; reason: string }[] = [];
  let [finished, bytes] = [0, 0];
  for (const purge of await deps.records.claimUnfinished(olderThanMs, mostAtOnce)) {
    try {
      bytes += await finishPurge(deps, purge);
      finished += 1;
    } catch (error) {
      failed.push({ id: purge.session.id, reason: failureText(error) });
    }
  }
  return { finished, bytes, failed };
};
