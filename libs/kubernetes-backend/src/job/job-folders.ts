import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placeOf, readSpec, specHash, writeOnce, errorCode } from '@fleet/attempt-runner';
import { attemptFiles, Fault } from '@fleet/contracts';
import type { RunSpec } from '@fleet/ports';

/** Owner and group may do all, others nothing, and what is made inside belongs to the group too: as in chmod(2). */
const sharedMode = 0o2770;
const groupMayAll = 0o2070;

/**
 * Makes the folders of a run and writes down what is to run, so that a pod of another user of the group can take it
 * from there. Idempotent.
 * @throws Fault `run.spec_conflict`, `run.folder_unusable`
 */
export const prepareFolders = (spec: RunSpec, fleetGid: number): void => {
  const { running, published } = placeOf(spec);
  const own = join(running, attemptFiles.folder);
  const hash = specHash(spec);
  try {
    for (const folder of [spec.sessionFolder, dirname(published), running, own]) shareFolder(folder, fleetGid);
    // Lost by a power cut, it is an attempt that cannot start, and there is another.
    if (writeOnce(join(running, attemptFiles.spec), { schemaVersion: 1, spec, hash }, { durable: false })) return;
  } catch (error) {
    throw unusable(error, running) ?? error;
  }
  const written = readSpec(running);
  if (written !== undefined && written.hash !== hash) throw specConflict(spec.name);
};

export const specConflict = (name: string): Fault =>
  new Fault('run.spec_conflict', 'conflict', `${name} was started before with another command or other limits`);

/** Makes a folder if it is not there, and lets the group in where it cannot enter yet. */
export const shareFolder = (folder: string, gid: number): void => {
  mkdirSync(folder, { recursive: true });
  const stat = statSync(folder);
  if (stat.gid === gid && (stat.mode & groupMayAll) === groupMayAll) return;
  if (stat.gid !== gid) chownSync(folder, stat.uid, gid);
  chmodSync(folder, sharedMode);
};

/** What is wrong with a folder for good, until somebody mends it (errno(3)). */
const troubles: Readonly<Record<string, string>> = {
  EACCES: 'the executor may not write there',
  EPERM:
    'the executor may not share it with the group of the fleet (identity.fleetGid): it is not its own, or not of that group',
  EROFS: 'its file system can only be read',
  ENOTDIR: 'a part of its path is no folder',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path leads in a circle',
};

const unusable = (cause: unknown, folder: string): Fault | undefined => {
  const trouble = troubles[errorCode(cause) ?? ''];
  if (trouble === undefined) return undefined;
  return new Fault('run.folder_unusable', 'caller', `${folder} cannot be used: ${trouble}`, { cause });
};
