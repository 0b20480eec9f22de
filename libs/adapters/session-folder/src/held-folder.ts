import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, isFault } from '@fleet/contracts/faults';
import { asFault, throughLink } from './folder-faults';

const linux = process.platform === 'linux';
/** Linux only; Node has no constant for it. A handle on a folder that needs no permission to list it. */
const oPath = linux ? 0x200000 : 0;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY;

/** An open folder: renaming it or replacing it by a link does not change where its entries are. */
export class HeldFolder {
  constructor(
    private readonly handle: FileHandle,
    /** For messages. */
    readonly path: string,
  ) {}

  /** Path of an entry, through the handle if the system has such paths. */
  at(name: string): string {
    return linux ? `/proc/self/fd/${String(this.handle.fd)}/${name}` : join(this.path, name);
  }

  /** Removes a file; a missing one is not an error. */
  async remove(name: string): Promise<void> {
    await unlink(this.at(name)).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
  }

  /** Syncs the names of its entries to the disk. */
  sync(): Promise<void> {
    return this.handle.sync();
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** False: it exists. */
const makeFolder = async (from: HeldFolder, name: string): Promise<boolean> => {
  try {
    await mkdir(from.at(name));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw asFault(error, join(from.path, name));
  }
};

/** Opens a folder of that name, not a link to one. The caller closes it. */
export const openStep = async (from: HeldFolder, name: string, flags: number): Promise<HeldFolder> => {
  const path = join(from.path, name);
  try {
    return new HeldFolder(await open(from.at(name), folderFlags | constants.O_NOFOLLOW | flags), path);
  } catch (error) {
    // With O_DIRECTORY a link is ENOTDIR, as a file is.
    const isLink = ['ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '') && (await lstat(from.at(name))).isSymbolicLink();
    throw isLink ? throughLink(path) : asFault(error, path);
  }
};

/** Undefined: it is missing. */
const openExisting = async (from: HeldFolder, name: string, flags: number): Promise<HeldFolder | undefined> => {
  try {
    return await openStep(from, name, flags);
  } catch (error) {
    if (isFault(error) && errnoOf(error.options.cause) === 'ENOENT') return undefined;
    throw error;
  }
};

/** @param made gets the path of a created folder, in front */
const openOrMake = async (from: HeldFolder, name: string, flags: number, made: string[]): Promise<HeldFolder> => {
  const existing = await openExisting(from, name, flags);
  if (existing !== undefined) return existing;
  if (await makeFolder(from, name)) made.unshift(join(from.path, name));
  return openStep(from, name, flags);
};

export interface OpenedFolder {
  readonly folder: HeldFolder;
  /** Folders created on the path, the deepest first. */
  readonly made: readonly string[];
}

/**
 * Opens the folder at the given steps below a root, without following links below the root; creates missing folders.
 * The caller closes it.
 * @param root the operator's: links in it are followed
 * @throws Fault `file.outside_root` if a step is a link, `storage.unwritable` otherwise
 */
export const holdFolder = async (root: string, steps: readonly string[]): Promise<OpenedFolder> => {
  const made: string[] = [];
  let held = new HeldFolder(
    await open(root, folderFlags | oPath).catch((error: unknown) => {
      throw asFault(error, root);
    }),
    root,
  );
  for (const [index, step] of steps.entries()) {
    try {
      const next = await openOrMake(held, step, index < steps.length - 1 ? oPath : 0, made);
      await held.close();
      held = next;
    } catch (error) {
      await held.close();
      await removeEmpty(made);
      throw error;
    }
  }
  if (!linux && (await realpath(held.path)) !== join(await realpath(root), ...steps)) {
    await held.close();
    throw throughLink(held.path);
  }
  return { folder: held, made };
};

/**
 * Like `holdFolder`, for an existing folder.
 * @returns undefined: it is missing
 */
export const holdExisting = async (root: string, steps: readonly string[]): Promise<HeldFolder | undefined> => {
  let held = new HeldFolder(await open(root, folderFlags | oPath), root);
  for (const [index, step] of steps.entries()) {
    let next: HeldFolder | undefined;
    try {
      next = await openExisting(held, step, index < steps.length - 1 ? oPath : 0);
    } finally {
      await held.close();
    }
    if (next === undefined) return undefined;
    held = next;
  }
  return held;
};

/** Removes folders that are still empty. */
export const removeEmpty = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) throw asFault(error, folder);
      return;
    }
  }
};
