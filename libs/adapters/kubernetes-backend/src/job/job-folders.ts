import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { foldersOf, prepareAttempt, unusableFolder } from '@fleet/attempt-runner';
import { Fault, type RunSpec } from '@fleet/contracts';

/** Owner and group may do all, others nothing, and what is made inside belongs to the group too: as in chmod(2). */
const sharedMode = 0o2770;
const groupMayAll = 0o2070;

/**
 * Makes the folders of a run and writes down what is to run, so that a pod of another user of the group can take it
 * from there. Idempotent.
 * @param hash `specHash` of the spec
 * @throws Fault `run.spec_conflict`, `run.folder_unusable`
 */
export const prepareFolders = (spec: RunSpec, hash: string, fleetGid: number): void => {
  const { running } = foldersOf(spec);
  const share = (at: string): void => {
    shareWith(`${at}/.`, fleetGid);
  };
  try {
    shareFolder(spec.sessionFolder, fleetGid);
    // Pods of the session may write below its folder: no link that one has left there is followed.
    if (prepareAttempt(running, spec, hash, share)) return;
  } catch (error) {
    throw unusableFolder(error, running, { EPERM: notToBeShared }) ?? error;
  }
  throw specConflict(spec.name);
};

export const specConflict = (name: string): Fault =>
  new Fault('run.spec_conflict', 'conflict', `${name} was started before with another command or other limits`);

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
  'the executor may not share it with the group of the fleet (identity.fleetGid): it is not its own, or not of that group';
