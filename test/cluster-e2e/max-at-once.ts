import type { readResult } from '@fleet/attempt-runner';

/** The largest number of runs under way at one moment, from the times in their results. */
export const maxAtOnce = (results: readonly ReturnType<typeof readResult>[]): number => {
  const changes = results.flatMap((result) => [
    { at: Date.parse(result?.startedAt ?? ''), by: 1 },
    { at: Date.parse(result?.ending.endedAt ?? ''), by: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { by } of changes.sort((one, other) => one.at - other.at || one.by - other.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
};
