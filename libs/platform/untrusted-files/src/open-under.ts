import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import { isInside } from './is-inside';
import { asOpeningFault, isLink, notRegular, readFlags } from './open-regular';

/** Linux only; Node has no constant for it. A handle on a folder that needs no permission to list it. */
export const oPath = 0x200000;
export const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | oPath;

const outside = (root: string, path: string): Fault =>
  new Fault('file.outside_root', 'caller', `${path} does not lie under ${root}.`);

/** The steps from the root to a path below it. */
export const stepsTo = (root: string, path: string): readonly string[] => {
  const way = relative(root, path);
  if (way === '' || !isInside(root, path)) throw outside(root, path);
  return way.split(sep);
};

/** With O_DIRECTORY and O_NOFOLLOW, a link causes ENOTDIR. */
const openFolder = async (at: string, shown: string): Promise<FileHandle> => {
  try {
    return await open(at, folderFlags);
  } catch (error) {
    throw errnoOf(error) === 'ELOOP' ? isLink(shown, error) : error;
  }
};

/** Through handles of the folders on the path: renaming or replacing them meanwhile has no effect. */
const openStepwise = async (root: string, path: string): Promise<FileHandle> => {
  const steps = stepsTo(root, path);
  const name = steps.at(-1) ?? '';
  let folder = await open(root, constants.O_RDONLY | constants.O_DIRECTORY | oPath);
  try {
    for (const step of steps.slice(0, -1)) {
      const next = await openFolder(`/proc/self/fd/${String(folder.fd)}/${step}`, path);
      await folder.close();
      folder = next;
    }
    return await open(`/proc/self/fd/${String(folder.fd)}/${name}`, readFlags).catch((error: unknown) => {
      throw asOpeningFault(path, error);
    });
  } finally {
    await folder.close();
  }
};

/** Without /proc: the opened file must be the one that the path leads to afterwards, without a link on the path. */
const openAndCompare = async (root: string, path: string): Promise<FileHandle> => {
  stepsTo(root, path);
  const file = await open(path, readFlags).catch((error: unknown) => {
    throw asOpeningFault(path, error);
  });
  if ((await realpath(path)) === path) return file;
  await file.close();
  throw isLink(path, undefined);
};

/**
 * Opens a regular file below a root for reading, without following a link at any level below the root, like openat2
 * with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS. The caller closes it.
 * @param root absolute; the operator's, links in it are followed
 * @param path absolute, below the root, resolved (the accepted one)
 * @throws Fault `file.outside_root`, `file.is_link`, `file.not_regular`; the system's own error (`ENOENT`, `ENOTDIR`:
 *   also a folder replaced by a link) otherwise
 */
export const openUnder = async (root: string, path: string): Promise<FileHandle> => {
  const file = await (process.platform === 'linux' ? openStepwise : openAndCompare)(root, path);
  try {
    if ((await file.stat()).isFile()) return file;
    throw notRegular(path);
  } catch (error) {
    await file.close();
    throw error;
  }
};
