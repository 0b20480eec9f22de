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

/** Whether what was seen is all that there was at one moment. */
const isWhole = ({ state }: FilesSight, { running, published }: ReturnType<typeof whatStandsOf>): boolean => {
  if (state === 'claimed' || state === 'ended') return true;
  return published === undefined && (running === undefined || state === 'prepared');
};

/** Somebody deleted its records, or a program has put something there. Nothing can be known of it any more. */
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

/** In sentences about a run of which nobody knows the program any more. */
const someProgram = 'The program';

/** The name of the program that a run's folder is for. */
export const programOfRun = (run: RunLocation): string => {
  const { running, published } = foldersOf(run);
  return readSpec(whatIs(running) === 'folder' ? running : published)?.spec.program ?? someProgram;
};

/**
 * Takes a run that nobody has started, so that nobody ever can. False when somebody has it, or it has ended.
 */
export const takeAway = (run: RunLocation, now: number): boolean => {
  const { running, published } = foldersOf(run);
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
