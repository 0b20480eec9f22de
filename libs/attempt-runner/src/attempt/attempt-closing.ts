import type { AttemptEnding } from '@fleet/contracts';
import { removeInputs } from '../inputs/remove-inputs';
import { publish, writeResult, type AttemptPlace } from './attempt-files-of';
import type { ResultRecord } from './attempt-records';
import type { Outcome } from './ending-words';
import { isThere } from './folder-faults';

/**
 * Writes how an attempt ended whose supervisor cannot do so any more, unless that is written already, and publishes its
 * folder. Returns what is written. Anybody may do so, any number of times, once no process of the attempt is left.
 */
export const closeAttempt = (
  place: AttemptPlace,
  run: Pick<ResultRecord, 'name' | 'startedAt'>,
  outcome: Outcome,
  now: number,
): ResultRecord => {
  const folder = isThere(place.published) ? place.published : place.running;
  removeInputs(folder);
  const ending: AttemptEnding = {
    ...outcome,
    endedAt: new Date(now).toISOString(),
    durationMs: Math.max(0, now - Date.parse(run.startedAt)),
  };
  const result = writeResult(folder, { schemaVersion: 1, name: run.name, startedAt: run.startedAt, ending });
  publish(place);
  return result;
};
