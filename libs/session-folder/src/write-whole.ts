import { open, rename, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Replaces a file so that readers see the old or the new content, never a part, also after a power cut. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const file = await open(beside, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
