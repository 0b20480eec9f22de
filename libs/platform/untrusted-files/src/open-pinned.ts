import type { FileHandle } from 'node:fs/promises';
import type { FilePin } from '@fleet/contracts/sessions';
import { changeOfError } from './change-words';
import { identityOf, pinDifference, pinOf } from './file-pin';
import { openUnder } from './open-under';

/** How an open file differs from the pinned one. Its content is read only if its metadata differ. */
const changeOf = async (file: FileHandle, pin: FilePin): Promise<string | undefined> => {
  const { inode, size, modified } = await identityOf(file);
  const isPlainlySame = inode === pin.inode && size === pin.size && modified === pin.modified;
  return isPlainlySame ? undefined : pinDifference(pin, await pinOf(file));
};

/**
 * Opens an accepted file for reading, like `openUnder`, if it is unchanged. The caller closes it.
 * @returns the open file; or how it differs, as text that follows its name (also replaced by a link or missing)
 * @throws Fault `file.outside_root`; the system's own error (`EACCES`, `EIO`) otherwise
 */
export const openPinned = async (root: string, path: string, pin: FilePin): Promise<FileHandle | string> => {
  let file: FileHandle | undefined;
  try {
    file = await openUnder(root, path);
    const change = await changeOf(file, pin);
    if (change === undefined) return file;
    await file.close();
    return change;
  } catch (error) {
    await file?.close();
    const change = changeOfError(error);
    if (change !== undefined) return change;
    throw error;
  }
};
