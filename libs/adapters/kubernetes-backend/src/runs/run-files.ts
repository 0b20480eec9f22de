import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  claimForCancel,
  closeAttempt,
  describeCancel,
  describeLoss,
  folderOf,
  inAttemptFolder,
  isBelievable,
  isSealedResult,
  foldersOf,
  publish,
  readRecords,
  readRun,
  readSpec,
  whatIs,
  whatStandsOf,
  type AttemptFolders,
  type AttemptRecords,
  type Outcome,
  type ResultRecord,
  type RunRecord,
  type SeenClaims,
} from '@fleet/attempt-runner';
import type { RunLocation } from '@fleet/ports';

/** The state of a run according to its files. */
export type FilesSight =
  | { readonly state: 'nothing' }
  /** It may be started. `handedOver`: its Job was created. */
  | { readonly state: 'prepared'; readonly specHash: string; readonly handedOver: boolean }
  /** A supervisor may be running it, or an executor has claimed it to prevent a start. */
  | { readonly state: 'claimed'; readonly claim: RunRecord }
  /** `sealed`: written by its supervisor. Otherwise it counts only when no pod of the run is alive. */
  | {
      readonly state: 'ended';
      readonly specHash: string | undefined;
      readonly result: ResultRecord;
      readonly sealed: boolean;
    };

/** Reads the folders of a run, and publishes one with a result. Results that a program writes do not count. */
export const lookAtFiles = (run: RunLocation, now: number, claims: SeenClaims): FilesSight => {
  const folders = foldersOf(run);
  const standing = whatStandsOf(folders);
  const sight = firstSight(standing, folders, claims);
  // It may have been published since.
  if (isWhole(sight, standing) || whatIs(folders.published) === undefined) return sight;
  const records = readRecords(folders.published);
  return endedIn(records, folders, claims) ?? closedAsLost(run, records, now, claims);
};

const firstSight = (
  { running, published }: ReturnType<typeof whatStandsOf>,
  folders: AttemptFolders,
  claims: SeenClaims,
): FilesSight => {
  const ended = published === 'folder' ? endedIn(readRecords(folders.published), folders, claims) : undefined;
  return ended ?? (running === 'folder' ? lookAtRunning(folders, claims) : { state: 'nothing' });
};

/** Whether the reads are consistent with one moment. */
const isWhole = ({ state }: FilesSight, { running, published }: ReturnType<typeof whatStandsOf>): boolean => {
  if (state === 'claimed' || state === 'ended') return true;
  return published === undefined && (running === undefined || state === 'prepared');
};

/** Its records were deleted or replaced by a program, so its state is unknown. */
const closedAsLost = (
  run: RunLocation,
  records: AttemptRecords | undefined,
  now: number,
  claims: SeenClaims,
): FilesSight => {
  const lost = describeLoss(records?.spec?.spec.program ?? someProgram);
  const result = close(run, new Date(now).toISOString(), lost, now, claims);
  return { state: 'ended', specHash: records?.spec?.hash, result, sealed: true };
};

const endedIn = (
  records: AttemptRecords | undefined,
  folders: AttemptFolders,
  claims: SeenClaims,
): Extract<FilesSight, { state: 'ended' }> | undefined => {
  if (records?.result === undefined) return undefined;
  const { result, spec } = records;
  const claim = claims.of(folders.running, records.run);
  if (!isBelievable(result, claim)) return undefined;
  const sealed = claim?.key === undefined || isSealedResult(result, claim);
  if (sealed) publish(folders, (written) => isBelievable(written, claim));
  return { state: 'ended', specHash: spec?.hash, result, sealed };
};

const lookAtRunning = (folders: AttemptFolders, claims: SeenClaims): FilesSight => {
  const records = readRecords(folders.running);
  if (records === undefined) return { state: 'nothing' };
  const ended = endedIn(records, folders, claims);
  if (ended !== undefined) return ended;
  const claim = claims.of(folders.running, records.run);
  if (claim !== undefined) return { state: 'claimed', claim };
  if (records.spec === undefined) return { state: 'nothing' };
  return { state: 'prepared', specHash: records.spec.hash, handedOver: records.handedOver };
};

/** In messages about a run whose program is unknown. */
const someProgram = 'The program';

/** The name of the program that a run's folder is for. */
export const programOfRun = (run: RunLocation): string => {
  const { running, published } = foldersOf(run);
  return readSpec(whatIs(running) === 'folder' ? running : published)?.spec.program ?? someProgram;
};

/** Claims a run that was never started, so that it can never start. Returns false if it is claimed or has ended. */
export const takeAway = (run: RunLocation, now: number): boolean => {
  const { running, published } = foldersOf(run);
  if (whatIs(published) !== undefined) return false;
  const claim = claimForCancel(run, now);
  if (claim === undefined) return false;
  if (whatIs(published) === undefined) return true;
  // It was published meanwhile, so the folder that was created for the claim is removed.
  inAttemptFolder(dirname(running), (at) => rmSync(join(at, basename(running)), { recursive: true, force: true }));
  return false;
};

/** Writes the ending of a run without a supervisor, unless one is written; returns the ending on disk. */
export const close = (
  run: RunLocation,
  startedAt: string,
  outcome: Outcome,
  now: number,
  claims: SeenClaims,
): ResultRecord => {
  const folders = foldersOf(run);
  const claim = claims.of(folders.running, readRun(folderOf(folders)));
  return closeAttempt(folders, { name: run.name, startedAt }, outcome, now, (result) => isBelievable(result, claim));
};

export const closeCancelled = (run: RunLocation, startedAt: string, now: number, claims: SeenClaims): ResultRecord =>
  close(run, startedAt, describeCancel(programOfRun(run)), now, claims);
