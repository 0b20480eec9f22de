import { randomUUID } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import { readWhole } from '@fleet/untrusted-files';

const fileName = '.phenix-fleet-installation';
const maxBytes = 4096;
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Errors of a read-only mount or a folder of another user: another service must create the file. */
const notOurs: readonly string[] = ['EROFS', 'EACCES', 'EPERM'];

/** The installation's id in the work root: one line in a file that is written once. */
export class IdFile {
  readonly path: string;

  constructor(readonly workRoot: string) {
    this.path = join(workRoot, fileName);
  }

  /**
   * Undefined if it is missing.
   * @throws Fault `store.other_installation` (caller) if it is not a valid id file; `storage.unreadable` (transient)
   */
  async read(): Promise<string | undefined> {
    let text: string;
    try {
      text = (await readWhole(this.path, maxBytes)).trim();
    } catch (cause) {
      const code = errnoOf(cause) ?? '';
      if (code === 'ENOENT') return undefined;
      if (code.startsWith('file.')) throw this.damaged(cause);
      throw new Fault('storage.unreadable', 'transient', `${this.path} cannot be read: ${String(cause)}`, { cause });
    }
    if (!idForm.test(text)) throw this.damaged(undefined);
    return text;
  }

  /**
   * Creates it if it is missing. Returns false if this process has no write access.
   * @throws Fault `storage.unwritable` (transient), for example if the disk is full
   */
  async create(id: string): Promise<boolean> {
    const beside = `${this.path}.${randomUUID()}`;
    try {
      await writeSynced(beside, `${id}\n`);
      await linkIfAbsent(beside, this.path);
      await syncFolder(this.workRoot);
      return true;
    } catch (cause) {
      if (notOurs.includes(errnoOf(cause) ?? '')) return false;
      throw new Fault('storage.unwritable', 'transient', `${this.path} cannot be written: ${String(cause)}`, { cause });
    } finally {
      await rm(beside, { force: true }).catch((error: unknown) => {
        if (!notOurs.includes(errnoOf(error) ?? '')) throw error;
      });
    }
  }

  private damaged(cause: unknown): Fault {
    return new Fault(
      'store.other_installation',
      'caller',
      `${this.path} does not hold the id of an installation: it was changed. Remove it; if the database holds the sessions of this ` +
        'work root, its id is then missing here, and the next start says how to confirm that.',
      { cause },
    );
  }
}

const writeSynced = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', 0o640);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Several services start at once: unlike a rename, a link never replaces a file. */
const linkIfAbsent = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
};

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
