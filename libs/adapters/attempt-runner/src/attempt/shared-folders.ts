import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import type { RunSpec } from '@fleet/contracts/runs';
import { foldersOf, prepareAttempt } from './attempt-files-of';
import { unusableFolder } from './folder-faults';

/** Full access for owner and group, none for others, and new files inherit the group (setgid, chmod(2)). */
const sharedMode = 0o2770;
const groupMayAll = 0o2070;

/**
 * Creates the folders of a run and writes its spec, so that a supervisor that runs as another user of the group can
 * start it. Idempotent.
 * @param hash `specHash` of the spec
 * @returns false: a spec with another command or other limits exists
 * @throws Fault `run.folder_unusable`
 */
export const prepareShared = (spec: RunSpec, hash: string, gid: number): boolean => {
  const { running } = foldersOf(spec);
  const share = (at: string): void => shareWith(`${at}/.`, gid);
  try {
    shareFolder(spec.sessionFolder, gid);
    // Programs of the session may write below its folder, so links there are not followed.
    return prepareAttempt(running, spec, hash, share);
  } catch (error) {
    throw unusableFolder(error, running, { EPERM: notToBeShared }) ?? error;
  }
};

/** Creates a folder if it is missing, and grants the group access to it. */
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
