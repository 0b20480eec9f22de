import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, open, opendir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import { incomingFolder, type Upload } from '@fleet/contracts/uploads';
import type { IncomingFile, UploadFiles } from '@fleet/ports';
import { reasonOf } from '../folder-faults';
import { isProposalName } from '../folder-names';
import { holdExisting, holdFolder, type HeldFolder } from '../held-folder';
import { newFlags, OpenIncoming, openPlain } from './open-incoming';

type Named = Pick<Upload, 'proposal' | 'name'>;

/** `<id>.<letters>.<name>`: inspection looks at endings, and a name leaves room for the prefix. */
const fileNameOf = ({ id, name }: Pick<Upload, 'id' | 'name'>): string =>
  `${id}.${randomBytes(4).toString('hex')}.${name}`;
const idOf = (file: string): string => file.split('.')[0] ?? '';

/** A full or unreachable disk is transient, and not the sender's error. */
const unusable = (path: string, error: unknown): unknown => {
  if (isFault(error) || errnoOf(error) === undefined) return error;
  const isFull = ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '');
  const code = isFull ? 'upload.no_space' : 'storage.unwritable';
  return new Fault(code, 'transient', `${path} cannot be written: ${reasonOf(error)}`, { cause: error });
};

/** Wraps an open file so that its errors are faults. */
const telling = (file: IncomingFile): IncomingFile => {
  const asFaults = async <T>(act: Promise<T>): Promise<T> => {
    try {
      return await act;
    } catch (error) {
      throw unusable(file.path, error);
    }
  };
  return {
    name: file.name,
    path: file.path,
    write: (bytes, position) => asFaults(file.write(bytes, position)),
    keep: () => asFaults(file.keep()),
    sha256: () => asFaults(file.sha256()),
    publish: () => asFaults(file.publish()),
    close: () => asFaults(file.close()),
  };
};

interface Removal {
  readonly removed: number;
  readonly troubles: readonly unknown[];
}

/** Uploads below one folder of the facility. */
export class UploadFolder implements UploadFiles {
  /** @param root absolute; links in it are followed */
  constructor(readonly root: string) {}

  pathOf({ proposal, name }: Named): string {
    return join(this.root, proposal, name);
  }

  async isTaken({ proposal, name }: Named): Promise<boolean> {
    const folder = await holdExisting(this.root, [proposal]).catch((error: unknown) => {
      throw unusable(join(this.root, proposal), error);
    });
    if (folder === undefined) return false;
    try {
      return (await statusOf(folder, name)) !== undefined;
    } finally {
      await folder.close();
    }
  }

  async open(upload: Upload): Promise<IncomingFile | undefined> {
    const { folder: proposal } = await this.hold([upload.proposal]);
    const { folder: incoming } = await this.hold([upload.proposal, incomingFolder]).catch(async (error: unknown) => {
      await proposal.close();
      throw error;
    });
    try {
      const opened = await this.openIn({ incoming, proposal }, upload);
      if (opened !== undefined) return telling(opened);
    } catch (error) {
      await incoming.close();
      await proposal.close();
      throw unusable(join(incoming.path, upload.id), error);
    }
    await incoming.close();
    await proposal.close();
    return undefined;
  }

  async isPublished({ proposal, name, file }: Upload): Promise<boolean> {
    const { folder } = await this.hold([proposal]);
    try {
      const [at, from] = [await statusOf(folder, name), await statusOf(folder, join(incomingFolder, file))];
      return at !== undefined && from !== undefined && at.ino === from.ino && at.dev === from.dev && at.isFile();
    } finally {
      await folder.close();
    }
  }

  async clear({ id, proposal }: Pick<Upload, 'id' | 'proposal'>, only?: string): Promise<void> {
    const isToGo = (file: string): boolean => idOf(file) === id && (only === undefined || file === only);
    const { troubles } = await this.removeFrom(proposal, (file) => Promise.resolve(isToGo(file)));
    if (troubles.length > 0) throw unusable(join(this.root, proposal, incomingFolder), troubles[0]);
  }

  async remove({ id, proposal, name, state }: Pick<Upload, 'id' | 'proposal' | 'name' | 'state'>): Promise<void> {
    await this.clear({ id, proposal });
    if (state === 'complete') await this.removeNamed(proposal, (file) => file === name);
  }

  async removeOf(proposal: string, dryRun: boolean): Promise<number> {
    const { removed, troubles } = dryRun
      ? { removed: 0, troubles: [] }
      : await this.removeFrom(proposal, () => Promise.resolve(true));
    if (troubles.length > 0) throw unusable(join(this.root, proposal, incomingFolder), troubles[0]);
    return removed + (await this.removeNamed(proposal, () => true, dryRun));
  }

  /** Removes files in a proposal's folder; folders that users created stay. */
  private async removeNamed(proposal: string, isToGo: (file: string) => boolean, dryRun = false): Promise<number> {
    const folder = isProposalName(proposal) ? await this.existing([proposal]) : undefined;
    if (folder === undefined) return 0;
    let removed = 0;
    try {
      const found: string[] = [];
      for await (const entry of await opendir(folder.at('.')))
        if (!entry.isDirectory() && isToGo(entry.name)) found.push(entry.name);
      for (const name of found) {
        if (!dryRun) await folder.remove(name);
        removed += 1;
      }
      return removed;
    } catch (error) {
      throw unusable(folder.path, error);
    } finally {
      await folder.close();
    }
  }

  async sweep(isAwaited: (id: string) => Promise<boolean>): Promise<Removal> {
    const all: Removal[] = [];
    for await (const { name } of await opendir(this.root))
      if (isProposalName(name)) all.push(await this.removeFrom(name, async (file) => !(await isAwaited(idOf(file)))));
    return {
      removed: all.reduce((sum, { removed }) => sum + removed, 0),
      troubles: all.flatMap(({ troubles }) => troubles),
    };
  }

  private async openIn(
    folders: { readonly incoming: HeldFolder; readonly proposal: HeldFolder },
    upload: Upload,
  ): Promise<OpenIncoming | undefined> {
    const { incoming } = folders;
    const isBegun = upload.file !== '' && upload.offset > 0;
    const old = isBegun ? await openPlain(incoming.at(upload.file), upload.offset) : undefined;
    if (isBegun && old === undefined) return undefined;
    if (old !== undefined && !upload.writing) return new OpenIncoming(old, folders, upload.file, upload.name);
    const name = fileNameOf(upload);
    const file = new OpenIncoming(await openNew(incoming, name, old), folders, name, upload.name);
    if (old === undefined) return file;
    try {
      if (await file.takeOver(old, upload.offset)) return file;
      throw new Error(`${join(incoming.path, upload.file)} became shorter while it was read`);
    } catch (error) {
      await incoming.remove(name);
      throw error;
    } finally {
      await old.close();
    }
  }

  private async hold(steps: readonly string[]): Promise<{ readonly folder: HeldFolder }> {
    try {
      return await holdFolder(this.root, steps);
    } catch (error) {
      throw unusable(join(this.root, ...steps), error);
    }
  }

  /** A failure to remove one does not prevent the removal of others. */
  private async removeFrom(proposal: string, isToGo: (file: string) => Promise<boolean>): Promise<Removal> {
    const troubles: unknown[] = [];
    let removed = 0;
    const incoming = await this.existing([proposal, incomingFolder]).catch((error: unknown) => {
      troubles.push(error);
      return undefined;
    });
    if (incoming === undefined) return { removed, troubles };
    try {
      for await (const entry of await opendir(incoming.at('.'))) {
        if (entry.isDirectory() || !(await isToGo(entry.name))) continue;
        try {
          await incoming.remove(entry.name);
          removed += 1;
        } catch (error) {
          troubles.push(error);
        }
      }
    } finally {
      await incoming.close();
    }
    return { removed, troubles };
  }

  /** Undefined: it is missing, or not our folder. */
  private async existing(steps: readonly string[]): Promise<HeldFolder | undefined> {
    try {
      return await holdExisting(this.root, steps);
    } catch (error) {
      if (isFault(error) && (error.kind === 'caller' || errnoOf(error.options.cause) === 'ENOTDIR')) return undefined;
      throw error;
    }
  }
}

const openNew = async (incoming: HeldFolder, name: string, old: FileHandle | undefined): Promise<FileHandle> => {
  try {
    return await open(incoming.at(name), newFlags);
  } catch (error) {
    await old?.close();
    throw error;
  }
};

/** File ids as bigint: some file systems exceed the precision of a double. */
const statusOf = async (folder: HeldFolder, name: string): Promise<BigIntStats | undefined> => {
  try {
    return await lstat(folder.at(name), { bigint: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};
