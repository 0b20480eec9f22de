import { lstat, opendir, rmdir, unlink } from 'node:fs/promises';
import { errnoOf, isFault } from '@fleet/contracts/faults';
import type { Session as WholeSession } from '@fleet/contracts/sessions';
import { relative } from 'node:path';
import { asFault, outside } from './folder-faults';
import { sessionFolderPath } from './folder-names';
import { holdExisting, openStep, type HeldFolder } from './held-folder';
import { sessionFileName } from './session-file';

/** Ignores a missing folder; rethrows other errors. */
const gone = (error: unknown): undefined => {
  if (errnoOf(isFault(error) ? error.options.cause : error) === 'ENOENT') return undefined;
  throw error;
};

/** Passes over a folder into which something else still writes. */
const passes = 5;

/** Removes a folder with its content; returns the freed bytes. */
const removeWhole = async (parent: HeldFolder, name: string, folder: HeldFolder): Promise<number> => {
  let bytes = 0;
  for (let pass = 1; ; pass += 1) {
    bytes += await walk(folder, true);
    try {
      await rmdir(parent.at(name)).catch(gone);
      return bytes;
    } catch (error) {
      if (errnoOf(error) !== 'ENOTEMPTY' || pass === passes) throw error;
    }
  }
};

/** @returns bytes; 0 if there is no such folder */
const throughFolder = async (parent: HeldFolder, name: string, isRemoved: boolean): Promise<number> => {
  const folder = await openStep(parent, name, 0).catch(gone);
  if (folder === undefined) return 0;
  try {
    return isRemoved ? await removeWhole(parent, name, folder) : await walk(folder, false);
  } finally {
    await folder.close();
  }
};

/**
 * Bytes that deleting the files below a folder would free: a file with a second name elsewhere frees nothing. Each
 * folder is entered by its handle, and no link is followed.
 */
const walk = async (folder: HeldFolder, isRemoved: boolean): Promise<number> => {
  let bytes = 0;
  const names: string[] = [];
  for await (const { name } of await opendir(folder.at('.'))) {
    // The record first, so that the rest of a folder is not a recoverable session.
    if (name === sessionFileName) names.unshift(name);
    else names.push(name);
  }
  for (const name of names) {
    const at = folder.at(name);
    const status = await lstat(at).catch(gone);
    if (status?.isDirectory() === true) bytes += await throughFolder(folder, name, isRemoved);
    else if (status !== undefined) {
      if (isRemoved) await unlink(at).catch(gone);
      if (status.nlink === 1) bytes += status.size;
    }
  }
  return bytes;
};

type Session = Pick<WholeSession, 'id' | 'folder' | 'request'>;

const inProposal = async (workRoot: string, { id, folder, request }: Session, isRemoved: boolean): Promise<number> => {
  const expected = sessionFolderPath(workRoot, request.proposal, id);
  if (relative(expected, folder) !== '') throw outside(folder);
  const parent = await holdExisting(workRoot, [request.proposal]);
  if (parent === undefined) return 0;
  try {
    return await throughFolder(parent, id, isRemoved);
  } catch (error) {
    throw asFault(error, expected);
  } finally {
    await parent.close();
  }
};

/** Bytes that deleting a session's files would free. */
export const bytesOfFolder = (workRoot: string, session: Session): Promise<number> =>
  inProposal(workRoot, session, false);

/** Deletes the folder of a session, `session.json` first; returns the freed bytes. */
export const removeFolder = (workRoot: string, session: Session): Promise<number> =>
  inProposal(workRoot, session, true);
