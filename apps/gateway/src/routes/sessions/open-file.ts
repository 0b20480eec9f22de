import { realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { errnoOf, isFault } from '@fleet/contracts/faults';
import { openUnder } from '@fleet/untrusted-files';

/** Errors of a missing path: removed, or a folder on the path was replaced. */
const nothingThere: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR'];

const isNothing = (error: unknown): boolean =>
  isFault(error) ? error.code.startsWith('file.') : nothingThere.includes(errnoOf(error));

/** Steps from a folder, named or resolved, to a path below it. */
const wayTo = (folder: string, root: string, path: string): string => {
  const way = relative(folder, path);
  return way.startsWith('..') || isAbsolute(way) ? relative(root, path) : way;
};

/**
 * Opens a regular file of a session for reading. Programs write in that folder, so a file may have been replaced by a
 * link out of it or a pipe. The caller closes it.
 * @returns undefined if there is no such file inside the folder
 */
export const openInside = async (folder: string, path: string): Promise<FileHandle | undefined> => {
  try {
    const root = await realpath(folder);
    return await openUnder(root, join(root, wayTo(folder, root, path)));
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
};
