import { link, open, rename, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

const synced = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** Writes the text beside the path, complete and on the disk; `publish` gives it its name. */
const writeBeside = async (path: string, text: string, publish: (beside: string) => Promise<void>): Promise<void> => {
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const file = await open(beside, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await publish(beside);
  } finally {
    await rm(beside, { force: true });
  }
  await synced(dirname(path));
};

/** Replaces a file so that readers see the old or the new content, never a part, also after a power cut. */
export const writeWhole = (path: string, text: string): Promise<void> =>
  writeBeside(path, text, (beside) => rename(beside, path));

/** As `writeWhole`, but a file that is there already stays as it is. */
export const writeIfAbsent = (path: string, text: string): Promise<void> =>
  writeBeside(path, text, async (beside) => {
    try {
      // Unlike a rename, a link never takes the place of a file.
      await link(beside, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
