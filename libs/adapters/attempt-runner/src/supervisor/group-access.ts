import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';

const ownerBits = 0o700;
const allBits = 0o7777;

/**
 * Lets the group do with a folder's files what their owner may: an executor that runs as another user of the group has
 * to move and delete what programs keep to themselves (`mkdtemp` makes folders that only their owner may enter), and what
 * they lock. Links are not followed; what belongs to others stays as it is, and so does a file with a second name: that
 * may be somebody else's. Returns the paths that could not be changed or looked into, and those.
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
