import type { FileHandle } from 'node:fs/promises';
import type { FilePin, SessionFile } from '@fleet/contracts';
import type { FileInspector, FileOrigin } from '@fleet/ports';
import { identityOf, openUnder, pinOf } from '@fleet/untrusted-files';
import { fileFault } from './file-source';

/** Whether a path still leads to the file that was opened, with what it held then. Whatever keeps it from being opened is a change. */
const leadsTo = async (root: string, path: string, pin: FilePin): Promise<boolean> => {
  const file = await openUnder(root, path).catch(() => undefined);
  try {
    const { inode, size, modified } =
      file === undefined ? { inode: '', size: -1, modified: '' } : await identityOf(file);
    return inode === pin.inode && size === pin.size && modified === pin.modified;
  } finally {
    await file?.close();
  }
};

const changed = (path: string, cause?: unknown): Error =>
  fileFault('unreadable', path, 'it was changed while it was looked at; try again once it stays as it is', {
    cause,
  });

/**
 * Opens each file once, below its root and without following a link, and writes down by what it is known again: whoever reads it later
 * must find the same one. What is inspected must be what was opened.
 */
export class PinningFileInspector implements FileInspector {
  constructor(private readonly inspector: FileInspector) {}

  async inspect(path: string, origin: FileOrigin, root?: string): Promise<SessionFile> {
    if (root === undefined) return this.inspector.inspect(path, origin);
    const file = await this.open(path, origin, root);
    try {
      const inspected = await this.inspector.inspect(path, origin);
      const pin = await pinOf(file);
      if (await leadsTo(root, path, pin)) return { ...inspected, size: pin.size, pin };
      throw changed(path);
    } finally {
      await file.close();
    }
  }

  private async open(path: string, origin: FileOrigin, root: string): Promise<FileHandle> {
    try {
      return await openUnder(root, path);
    } catch (error) {
      // What is no file at all the inspector says in its own words.
      await this.inspector.inspect(path, origin);
      throw changed(path, error);
    }
  }
}
