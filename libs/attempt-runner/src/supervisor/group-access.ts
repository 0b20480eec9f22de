import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../attempt/exclusive-file';

/** Mode bits of an owner who may read and enter a folder, as in chmod(2). */
const readAndEnter = 0o500;
const ownerBits = 0o700;
const allBits = 0o7777;

/**
 * Lets the group do with a folder's files what their owner may: an executor that runs as another user of the group has
 * to move and delete what programs keep to themselves (`mkdtemp` makes folders that only their owner may enter). Links
 * are not followed; what belongs to others stays as it is. Returns the paths that could not be changed.
 */
export const shareWithGroup = (path: string): readonly string[] => {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink() || stat.uid !== process.getuid?.()) return [];
  const mode = stat.mode & allBits;
  const refused = changeMode(path, mode, mode | ((mode & ownerBits) >> 3)) ? [] : [path];
  if (!stat.isDirectory() || (mode & readAndEnter) !== readAndEnter) return refused;
  return [...refused, ...readdirSync(path).flatMap((name) => shareWithGroup(join(path, name)))];
};

const changeMode = (path: string, from: number, to: number): boolean => {
  if (from === to) return true;
  try {
    chmodSync(path, to);
    return true;
  } catch (error) {
    if (!['EPERM', 'EROFS', 'ENOENT'].includes(errorCode(error) ?? '')) throw error;
    return false;
  }
};
