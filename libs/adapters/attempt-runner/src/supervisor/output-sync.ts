import { constants, type Dirent } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegular } from '@fleet/untrusted-files';

/**
 * Syncs a folder's files and their names to the disk. Programs do not do that, and a result must not survive a power
 * cut that loses its files. Links are not followed. Files that cannot be synced or read are reported.
 *
 * @param isEnough checked before each file; true stops early
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
