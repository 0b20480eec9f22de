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

/** Callbacks for each folder on the path. */
export interface OnTheWay {
  /** Before the folder is opened, with its path: it may be created here. No call may follow a link there. */
  readonly before?: (at: string) => void;
  /** With the opened folder itself. */
  readonly entered?: (at: string) => void;
}

const handlePath = (opened: number): string => `/proc/self/fd/${String(opened)}`;

/** The caller closes the returned descriptor. */
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

/** Without /proc: the folder must be the one that its path leads to, without a link on the path. */
const insideResolved = <T>(root: string, folder: string, way: OnTheWay, work: (at: string) => T): T => {
  const steps = folder === root ? [] : stepsTo(root, folder);
  const folders = steps.map((_, index) => join(root, ...steps.slice(0, index + 1)));
  for (const at of folders) way.before?.(at);
  if (realpathSync(folder) !== join(realpathSync(root), folder.slice(root.length))) throw isLink(folder, undefined);
  for (const at of folders) way.entered?.(at);
  return work(folder);
};

/** Like `inFolderSync`, with callbacks for each folder below the root, including the last one. */
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
 * Calls `work` in a folder that is reached through no link below the root. `at` is the folder itself while `work` runs,
 * even if its path changes: names are joined to it. The last component is left to `work`, whose calls must not follow a
 * link there.
 * @param root absolute; the operator's, links in it are followed
 * @param folder absolute, the root or below it
 * @throws Fault `file.outside_root`, `file.is_link`; the system's own error (`ENOENT`, `ENOTDIR`: also a link)
 *   otherwise
 */
export const inFolderSync = <T>(root: string, folder: string, work: (at: string) => T): T =>
  throughFoldersSync(root, folder, {}, work);
