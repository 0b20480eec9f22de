import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './errno';
import { isLink } from './open-regular';
import { folderFlags, oPath, stepsTo } from './open-under';

const openFolderSync = (at: string, shown: string): number => {
  try {
    return openSync(at, folderFlags);
  } catch (error) {
    throw errnoOf(error) === 'ELOOP' ? isLink(shown, error) : error;
  }
};

/** `visit` may make a step before it is entered. The caller closes what it gets. */
const descend = (root: string, folder: string, visit: (at: string) => void): number => {
  let opened = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY | oPath);
  for (const step of folder === root ? [] : stepsTo(root, folder)) {
    try {
      const at = `/proc/self/fd/${String(opened)}/${step}`;
      visit(at);
      const next = openFolderSync(at, folder);
      closeSync(opened);
      opened = next;
    } catch (error) {
      closeSync(opened);
      throw error;
    }
  }
  return opened;
};

/** Where there is no /proc: the folder must be the one that its path leads to, without a link on the way. */
const insideResolved = <T>(root: string, folder: string, visit: (at: string) => void, work: (at: string) => T): T => {
  let at = root;
  for (const step of folder === root ? [] : stepsTo(root, folder)) {
    at = join(at, step);
    visit(at);
  }
  if (realpathSync(folder) !== join(realpathSync(root), folder.slice(root.length))) throw isLink(folder, undefined);
  return work(folder);
};

const within = <T>(root: string, folder: string, visit: (at: string) => void, work: (at: string) => T): T => {
  if (process.platform !== 'linux') return insideResolved(root, folder, visit, work);
  const opened = descend(root, folder, visit);
  try {
    return work(`/proc/self/fd/${String(opened)}`);
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
  within(root, folder, () => undefined, work);

/** As `inFolderSync`; each folder on the way is given to `visit` before it is entered, which may make it. */
export const throughFoldersSync = <T>(
  root: string,
  folder: string,
  visit: (at: string) => void,
  work: (at: string) => T,
): T => within(root, folder, visit, work);
