import { constants, type Dirent } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegular } from '@fleet/untrusted-files';

/**
 * Has the disk keep a folder's files and their names, whatever happens to the power: programs write and do not ask for
 * that, and a result must not outlive what it speaks of. Links are not followed. What cannot be kept or read is reported.
 *
 * @param isEnough asked before each file; true ends it early
 */
export const keepFolder = async (
  folder: string,
  isEnough: () => boolean,
  onTrouble: (path: string, error: unknown) => void,
): Promise<void> => {
  const keep = async (path: string, opened: (path: string) => Promise<FileHandle>): Promise<void> => {
    try {
      await keepOne(await opened(path));
    } catch (error) {
      onTrouble(path, error);
    }
  };
  for (const entry of await entriesOf(folder, onTrouble)) {
    if (isEnough()) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await keepFolder(path, isEnough, onTrouble);
    else if (entry.isFile()) await keep(path, openRegular);
  }
  await keep(folder, openFolder);
};

const entriesOf = async (
  folder: string,
  onTrouble: (path: string, error: unknown) => void,
): Promise<readonly Dirent[]> => {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    onTrouble(folder, error);
    return [];
  }
};

const openFolder = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);

const keepOne = async (file: FileHandle): Promise<void> => {
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
