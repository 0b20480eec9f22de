import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';

const ownerBits = 0o700;
const allBits = 0o7777;

/**
 * Gives the group the owner's access to a folder's files. An executor that runs as another user of the group must move
 * and delete files that programs keep private (`mkdtemp` creates such folders) or lock. Links are not followed. Files
 * of other users stay unchanged, and so do files with a second name, which may belong to another user. Returns the
 * paths that could not be changed or read, including those.
 */
export const shareWithGroup = (path: string): readonly string[] => {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return [];
  const refused: string[] = [];
  if (!stat.isDirectory() && stat.nlink > 1) return [path];
  try {
    openToGroup(path, stat);
    if (stat.isDirectory()) {
      for (const name of readdirSync(path)) refused.push(...shareWithGroup(join(path, name)));
    }
  } catch (error) {
    if (!['EPERM', 'EACCES', 'EROFS', 'ENOENT'].includes(errnoOf(error) ?? '')) throw error;
    refused.push(path);
  }
  return refused;
};

const openToGroup = (path: string, stat: Stats): void => {
  const mode = stat.mode & allBits;
  const owners = stat.isDirectory() ? ownerBits : mode & ownerBits;
  const wanted = mode | owners | (owners >> 3);
  if (stat.uid === process.getuid?.() && wanted !== mode) chmodSync(path, wanted);
};
