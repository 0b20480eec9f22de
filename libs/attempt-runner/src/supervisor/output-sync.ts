import type { Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Has the disk keep a folder's files and their names, whatever becomes of the power: programs write and do not ask for
 * that, and a result must not outlive what it speaks of. Links are not followed. What cannot be kept or read is told.
 *
 * @param isEnough asked before each file; true ends it early
 */
export const keepFolder = async (
  folder: string,
  isEnough: () => boolean,
  onTrouble: (path: string, error: unknown) => void,
): Promise<void> => {
  const keep = async (path: string): Promise<void> => {
    try {
      await keepOne(path);
    } catch (error) {
      onTrouble(path, error);
    }
  };
  for (const entry of await entriesOf(folder, onTrouble)) {
    if (isEnough()) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await keepFolder(path, isEnough, onTrouble);
    else if (entry.isFile()) await keep(path);
  }
  await keep(folder);
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

const keepOne = async (path: string): Promise<void> => {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
