import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { isLink } from './open-regular';
import { folderFlags, oPath, stepsTo } from './open-under';

const openFolderSync = (at: string, shown: string): number => {
  try {
    return openSync(at, folderFlags);
  } catch (error) {
    throw errnoOf(error) === 'ELOOP' ? isLink(shown, error) : error;
  }
};

/** What is done with each folder on the way. */
export interface OnTheWay {
  /** With its name, which nobody has entered yet: it may be made here. No call may follow a link there. */
  readonly before?: (at: string) => void;
  /** With the folder itself. */
  readonly entered?: (at: string) => void;
}

const handlePath = (opened: number): string => `/proc/self/fd/${String(opened)}`;

/** The caller closes what it gets. */
const descend = (root: string, folder: string, way: OnTheWay): number => {
  let opened = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY | oPath);
  for (const step of folder === root ? [] : stepsTo(root, folder)) {
    try {
      const at = `${handlePath(opened)}/${step}`;
      way.before?.(at);
      const next = openFolderSync(at, folder);
      closeSync(opened);
      opened = next;
      way.entered?.(handlePath(opened));
    } catch (error) {
      closeSync(opened);
      throw error;
    }
  }
  return opened;
};

/** Where there is no /proc: the folder must be the one that its path leads to, without a link on the way. */
const insideResolved = <T>(root: string, folder: string, way: OnTheWay, work: (at: string) => T): T => {
  const steps = folder === root ? [] : stepsTo(root, folder);
  const folders = steps.map((_, index) => join(root, ...steps.slice(0, index + 1)));
  for (const at of folders) way.before?.(at);
  if (realpathSync(folder) !== join(realpathSync(root), folder.slice(root.length))) throw isLink(folder, undefined);
  for (const at of folders) way.entered?.(at);
  return work(folder);
};

/** As `inFolderSync`, with something to do for each folder below the root, the last one included. */
export const throughFoldersSync = <T>(root: string, folder: string, way: OnTheWay, work: (at: string) => T): T => {
  if (process.platform !== 'linux') return insideResolved(root, folder, way, work);
  const opened = descend(root, folder, way);
  try {
    return work(handlePath(opened));
  } finally {
    closeSync(opened);
  }
};

/**
 * Works in a folder to which no link below the root leads. `at` names the folder itself while `work` runs, whatever its path has become
 * meanwhile: names are joined to it. Its last component is for `work` alone, whose calls must not follow a link there.
 * @param root absolute; the operator's, links in it are followed
 * @param folder absolute, the root or below it
 * @throws Fault `file.outside_root`, `file.is_link`; the system's own error (`ENOENT`, `ENOTDIR`: also a link) otherwise
 */
export const inFolderSync = <T>(root: string, folder: string, work: (at: string) => T): T =>
  throughFoldersSync(root, folder, {}, work);
