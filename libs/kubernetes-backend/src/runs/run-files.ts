import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  claimForCancel,
  closeAttempt,
  describeCancel,
  describeLoss,
  errorCode,
  isThere,
  placeOf,
  publish,
  readResult,
  readRun,
  readSpec,
  writeOnce,
  type Outcome,
  type ResultRecord,
  type RunRecord,
} from '@fleet/attempt-runner';
import { attemptFiles } from '@fleet/contracts';
import type { RunPlace } from '@fleet/ports';

/** What the files of a run say. */
export type FilesSight =
  | { readonly state: 'nothing' }
  /** It may be started. `handedOver`: its Job was seen. */
  | { readonly state: 'prepared'; readonly specHash: string; readonly handedOver: boolean }
  /** Somebody may be running it, or has taken it so that nobody can. */
  | { readonly state: 'claimed'; readonly claim: RunRecord }
  | { readonly state: 'ended'; readonly specHash: string | undefined; readonly result: ResultRecord };

/** Looks at the folders of a run; one with a result is published. */
export const lookAtFiles = (run: RunPlace, now: number): FilesSight => {
  const place = placeOf(run);
  if (!isThere(place.published)) {
    const sight = lookAtRunning(run);
    // It may have been published between the two looks.
    if (sight.state === 'ended' || !isThere(place.published)) return sight;
  }
  const result = readResult(place.published);
  const specHash = readSpec(place.published)?.hash;
  if (result !== undefined) return { state: 'ended', specHash, result };
  // Somebody deleted its records. Nothing can be known of it any more.
  const lost = describeLoss(programIn(place.published));
  const startedAt = new Date(now).toISOString();
  return { state: 'ended', specHash, result: closeAttempt(place, { name: run.name, startedAt }, lost, now) };
};

const lookAtRunning = (run: RunPlace): FilesSight => {
  const place = placeOf(run);
  const result = readResult(place.running);
  const spec = readSpec(place.running);
  if (result !== undefined) {
    publish(place);
    return { state: 'ended', specHash: spec?.hash, result };
  }
  const claim = readRun(place.running);
  if (claim !== undefined) return { state: 'claimed', claim };
  if (spec === undefined) return { state: 'nothing' };
  return {
    state: 'prepared',
    specHash: spec.hash,
    handedOver: isThere(join(place.running, attemptFiles.handedOver)),
  };
};

/**
 * Notes that the Job of a run was seen, so that one that somebody deletes is not made again. Should a power cut take the
 * note, and somebody the Job, it is made again; the claim of its program is kept, so that nothing starts twice.
 */
export const noteHandedOver = (run: RunPlace, now: number): void => {
  const { running } = placeOf(run);
  try {
    writeOnce(join(running, attemptFiles.handedOver), { at: new Date(now).toISOString() }, { durable: false });
  } catch (error) {
    // It has ended meanwhile, and nothing has to be known of its Job any more.
    if (errorCode(error) !== 'ENOENT' || isThere(running)) throw error;
  }
};

const programIn = (folder: string): string => readSpec(folder)?.spec.program ?? 'The program';

/** The name of the program that a run's folder is for. */
export const programOfRun = (run: RunPlace): string => {
  const { running, published } = placeOf(run);
  return programIn(isThere(published) ? published : running);
};

/**
 * Takes a run that nobody has started, so that nobody ever can. False when somebody has it, or it has ended.
 */
export const takeAway = (run: RunPlace, now: number): boolean => {
  const { running, published } = placeOf(run);
  if (isThere(published)) return false;
  const claim = claimForCancel(run, now);
  if (claim === undefined) return false;
  if (!isThere(published)) return true;
  // It was published meanwhile, and the folder that was made for the claim is nobody's.
  rmSync(running, { recursive: true, force: true });
  return false;
};

/** Writes how a run ended that nobody runs any more, unless that is written; what is written. */
export const close = (run: RunPlace, startedAt: string, outcome: Outcome, now: number): ResultRecord =>
  closeAttempt(placeOf(run), { name: run.name, startedAt }, outcome, now);

export const closeCancelled = (run: RunPlace, startedAt: string, now: number): ResultRecord =>
  close(run, startedAt, describeCancel(programOfRun(run)), now);
