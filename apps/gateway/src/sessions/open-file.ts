import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { errnoOf } from '../http/errno';

/** Errors of a path at which no regular file can be opened: nothing there, a link that changed meanwhile, a socket. */
const nothingThere: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'];

/** Without O_NONBLOCK a pipe that nobody writes to would be waited for, for ever; the path is resolved already. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Opens a regular file of a session for reading. Programs write in that folder, so that anything may have taken the place of a file: a link
 * that leads out, a pipe.
 * @returns undefined where there is no such file inside the folder
 */
export const openInside = async (folder: string, path: string): Promise<FileHandle | undefined> => {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
    if (!real.startsWith(root + sep)) return undefined;
    const file = await open(real, flags);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } catch (error) {
    if (nothingThere.includes(errnoOf(error))) return undefined;
    throw error;
  }
};
