import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import type { RunSpec } from '@fleet/contracts/runs';
import { foldersOf, prepareAttempt } from './attempt-files-of';
import { unusableFolder } from './folder-faults';

/** Owner and group may do all, others nothing, and what is made inside belongs to the group too: as in chmod(2). */
const sharedMode = 0o2770;
const groupMayAll = 0o2070;

/**
 * Makes the folders of a run and writes down what is to run, so that a supervisor of another user of the group can
 * take it from there. Idempotent.
 * @param hash `specHash` of the spec
 * @returns false: another command or other limits were written there before
 * @throws Fault `run.folder_unusable`
 */
export const prepareShared = (spec: RunSpec, hash: string, gid: number): boolean => {
  const { running } = foldersOf(spec);
  const share = (at: string): void => {
    shareWith(`${at}/.`, gid);
  };
  try {
    shareFolder(spec.sessionFolder, gid);
    // Programs of the session may write below its folder: no link that one has left there is followed.
    return prepareAttempt(running, spec, hash, share);
  } catch (error) {
    throw unusableFolder(error, running, { EPERM: notToBeShared }) ?? error;
  }
};

/** Makes a folder if it is not there, and lets the group in where it cannot enter yet. */
export const shareFolder = (folder: string, gid: number): void => {
  mkdirSync(folder, { recursive: true });
  shareWith(folder, gid);
};

const shareWith = (folder: string, gid: number): void => {
  const stat = statSync(folder);
  if (stat.gid === gid && (stat.mode & groupMayAll) === groupMayAll) return;
  if (stat.gid !== gid) chownSync(folder, stat.uid, gid);
  chmodSync(folder, sharedMode);
};

const notToBeShared =
  'the executor may not share it with the group of programs: it is not its own, or not of that group';
