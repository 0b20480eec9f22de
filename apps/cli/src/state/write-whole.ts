import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';

/** Numbers concurrent writes of this process. */
let written = 0;

/** Writes a file of the user atomically: readers see the old or the new content, also after a crash. */
export const writeWhole = async (path: string, content: object): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  written += 1;
  const beside = `${path}.${String(process.pid)}-${String(written)}.tmp`;
  const file = await open(beside, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
};

/**
 * Creates a private folder. Its content is sent in the user's name, so other users must not have write access.
 * @throws CliError `usage` if they have
 */
export const ownFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = errnoOf(error) ?? String(error);
    throw new CliError(exitCodes.usage, `${path} cannot be created (${reason}). phx stores submissions there.`);
  }
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  throw new CliError(
    exitCodes.usage,
    `Other users can read or write ${path}, and phx submits its contents in your name. Run: chmod 700 ${path}`,
  );
};
