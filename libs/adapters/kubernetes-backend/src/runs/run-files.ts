import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  claimForCancel,
  closeAttempt,
  describeCancel,
  describeLoss,
  errorCode,
  folderOf,
  hasOwnFile,
  inAttemptFolder,
  inOwnFolder,
  isBelievable,
  isSealedResult,
  placeOf,
  publish,
  readResult,
  readRun,
  readSpec,
  whatIs,
  writeOnce,
  type AttemptPlace,
  type Outcome,
  type ResultRecord,
  type RunRecord,
  type SeenClaims,
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
  /** `sealed`: its supervisor says so; otherwise it counts when no pod of the run lives any more. */
  | {
      readonly state: 'ended';
      readonly specHash: string | undefined;
      readonly result: ResultRecord;
      readonly sealed: boolean;
    };

/** Looks at the folders of a run; one with a result is published. What a program says of its own end counts for nothing. */
export const lookAtFiles = (run: RunPlace, now: number, claims: SeenClaims): FilesSight => {
  const place = placeOf(run);
  const sight = endedIn(place.published, place, claims) ?? lookAtRunning(place, claims);
  if (sight.state === 'claimed' || sight.state === 'ended') return sight;
  // It may have been published between the two looks.
  if (whatIs(place.published) === undefined) return sight;
  const late = endedIn(place.published, place, claims);
  if (late !== undefined) return late;
  // Somebody deleted its records, or a program has put something there. Nothing can be known of it any more.
  const specHash = readSpec(place.published)?.hash;
  const lost = describeLoss(programIn(place.published));
  const result = close(run, new Date(now).toISOString(), lost, now, claims);
  return { state: 'ended', specHash, result, sealed: true };
};

const endedIn = (
  folder: string,
  place: AttemptPlace,
  claims: SeenClaims,
): Extract<FilesSight, { state: 'ended' }> | undefined => {
  const result = whatIs(folder) === 'folder' ? readResult(folder) : undefined;
  if (result === undefined) return undefined;
  const claim = claims.of(place.running, readRun(folder));
  if (!isBelievable(result, claim)) return undefined;
  const specHash = readSpec(folder)?.hash;
  const sealed = claim?.key === undefined || isSealedResult(result, claim);
  if (sealed) publish(place, (published) => isBelievable(published, claim));
  return { state: 'ended', specHash, result, sealed };
};

const lookAtRunning = (place: AttemptPlace, claims: SeenClaims): FilesSight => {
  if (whatIs(place.running) !== 'folder') return { state: 'nothing' };
  const ended = endedIn(place.running, place, claims);
  if (ended !== undefined) return ended;
  const spec = readSpec(place.running);
  const claim = claims.of(place.running, readRun(place.running));
  if (claim !== undefined) return { state: 'claimed', claim };
  if (spec === undefined) return { state: 'nothing' };
  return { state: 'prepared', specHash: spec.hash, handedOver: hasOwnFile(place.running, attemptFiles.handedOver) };
};

/**
 * Notes that the Job of a run was seen, so that one that somebody deletes is not made again. Should a power cut take the
 * note, and somebody the Job, it is made again; the claim of its program is kept, so that nothing starts twice.
 */
export const noteHandedOver = (run: RunPlace, now: number): void => {
  const { running } = placeOf(run);
  try {
    const noted = { at: new Date(now).toISOString() };
    inOwnFolder(running, (at) => writeOnce(join(at, basename(attemptFiles.handedOver)), noted, { durable: false }));
  } catch (error) {
    // It has ended meanwhile, and nothing has to be known of its Job any more.
    if (errorCode(error) !== 'ENOENT' || whatIs(running) !== undefined) throw error;
  }
};

const programIn = (folder: string): string => readSpec(folder)?.spec.program ?? 'The program';

/** The name of the program that a run's folder is for. */
export const programOfRun = (run: RunPlace): string => {
  const { running, published } = placeOf(run);
  return programIn(whatIs(running) === 'folder' ? running : published);
};

/**
 * Takes a run that nobody has started, so that nobody ever can. False when somebody has it, or it has ended.
 */
export const takeAway = (run: RunPlace, now: number): boolean => {
  const { running, published } = placeOf(run);
  if (whatIs(published) !== undefined) return false;
  const claim = claimForCancel(run, now);
  if (claim === undefined) return false;
  if (whatIs(published) === undefined) return true;
  // It was published meanwhile, and the folder that was made for the claim is nobody's.
  inAttemptFolder(dirname(running), (at) => {
    rmSync(join(at, basename(running)), { recursive: true, force: true });
  });
  return false;
};

/** Writes how a run ended that nobody runs any more, unless that is written; what is written. */
export const close = (
  run: RunPlace,
  startedAt: string,
  outcome: Outcome,
  now: number,
  claims: SeenClaims,
): ResultRecord => {
  const place = placeOf(run);
  const claim = claims.of(place.running, readRun(folderOf(place)));
  return closeAttempt(place, { name: run.name, startedAt }, outcome, now, (result) => isBelievable(result, claim));
};

export const closeCancelled = (run: RunPlace, startedAt: string, now: number, claims: SeenClaims): ResultRecord =>
  close(run, startedAt, describeCancel(programOfRun(run)), now, claims);
