import { failureText } from '@fleet/contracts/faults';
import { finishPurge } from './purge-session';
import type { RetentionDependencies } from './retention-dependencies';

/** Milliseconds after which an unfinished deletion may be claimed: its process has died. */
const claimMs = 10 * 60_000;
const mostAtOnce = 100;

/** Unfinished deletions. */
export interface FinishedPurges {
  readonly finished: number;
  readonly bytes: number;
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/** Finishes interrupted deletions; one that fails does not block the others. */
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
