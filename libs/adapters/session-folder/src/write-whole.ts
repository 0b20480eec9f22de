import { link, open, rename } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { errnoOf } from '@fleet/contracts/faults';
import type { HeldFolder } from './held-folder';

/**
 * Writes the text to a temporary name, complete and synced; returns that name.
 * @param isTrial it is removed again: closing it detects a full disk or a quota, also of a file server, without a sync
 */
export const writeBeside = async (folder: HeldFolder, name: string, text: string, isTrial = false): Promise<string> => {
  const beside = `.${name}.${randomUUID()}`;
  const file = await open(folder.at(beside), 'wx');
  try {
    await file.writeFile(text);
    if (!isTrial) await file.sync();
  } catch (error) {
    await folder.remove(beside);
    throw error;
  } finally {
    await file.close();
  }
  return beside;
};

/** Gives a written file its name, unless that exists: unlike a rename, a link never replaces a file. */
export const publishIfAbsent = async (folder: HeldFolder, beside: string, name: string): Promise<void> => {
  try {
    await link(folder.at(beside), folder.at(name));
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  } finally {
    await folder.remove(beside);
  }
  await folder.sync();
};

/** A folder cannot be replaced by a file: it is moved aside under a name that says so. Returns that name. */
const putAside = async (folder: HeldFolder, name: string): Promise<string> => {
  const aside = `${name}.was-in-the-way-${randomUUID().slice(0, 8)}`;
  await rename(folder.at(name), folder.at(aside));
  return aside;
};

/**
 * Replaces a file so that readers see the old or the new content, never a part, also after a power cut. A link or a
 * pipe of that name is replaced too; nothing is written through it.
 * @returns the new name of a folder that was in the way
 */
export const writeWhole = async (folder: HeldFolder, name: string, text: string): Promise<string | undefined> => {
  const beside = await writeBeside(folder, name, text);
  let aside: string | undefined;
  try {
    await rename(folder.at(beside), folder.at(name)).catch(async (error: unknown) => {
      if (!['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) throw error;
      aside = await putAside(folder, name);
      await rename(folder.at(beside), folder.at(name));
    });
  } catch (error) {
    await folder.remove(beside);
    throw error;
  }
  await folder.sync();
  return aside;
};
