import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, type Schema } from '@fleet/contracts';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { readRecord } from '../state/read-record';
import { ownFolder, writeWhole } from '../state/write-whole';
import { refusedEntrySchema, spoolEntrySchema, type RefusedEntry, type SpoolEntry } from './spool-entry';

/** Submissions that one user keeps; beyond this somebody has to look after the gateway. */
const maxEntries = 20_000;

const ending = '.json';

/**
 * Submissions that wait for their gateway, a file each in the user's own folder. Each carries its idempotency key; so it does no harm that it is
 * sent twice, by two processes at once or after one died between the answer and the removal of the file.
 */
export class Spool {
  private constructor(
    readonly folder: string,
    private readonly refusedFolder: string,
  ) {}

  /**
   * @param stateFolder where the user's programs keep their state
   * @throws CliError `usage` where others may write to it
   */
  static async open(stateFolder: string): Promise<Spool> {
    const folder = join(stateFolder, 'phenix-fleet', 'spool');
    await ownFolder(folder);
    const refused = join(folder, 'refused');
    await ownFolder(refused);
    return new Spool(folder, refused);
  }

  /**
   * Keeps a submission, or what is known of it now.
   * @throws CliError `refused` where the spool is full
   */
  async put(entry: SpoolEntry): Promise<void> {
    if ((await namesIn(this.folder)).length >= maxEntries)
      throw new CliError(
        exitCodes.refused,
        `${this.folder} holds ${String(maxEntries)} submissions and takes no more.`,
        ['Send them with phx spool send, or drop them with phx spool drop.'],
      );
    await writeWhole(this.fileOf(entry.id), entry);
  }

  /** Those that wait, the oldest first. */
  async entries(): Promise<readonly SpoolEntry[]> {
    const found = await readAll(this.folder, spoolEntrySchema);
    return found.toSorted((one, other) => compare(one.keptAt, other.keptAt) || compare(one.id, other.id));
  }

  async has(id: string): Promise<boolean> {
    return (await namesIn(this.folder)).includes(`${id}${ending}`);
  }

  /** Those that the gateway refused for good. */
  async refused(): Promise<readonly RefusedEntry[]> {
    const found = await readAll(this.refusedFolder, refusedEntrySchema);
    return found.toSorted((one, other) => compare(one.refusedAt, other.refusedAt));
  }

  /** Puts an entry aside with the reason. */
  async refuse(entry: SpoolEntry, reason: string, problems: readonly string[], now = new Date()): Promise<void> {
    const refused: RefusedEntry = { entry, refusedAt: now.toISOString(), reason, problems };
    await writeWhole(join(this.refusedFolder, `${entry.id}${ending}`), refused);
    await removed(this.fileOf(entry.id));
  }

  /** Forgets an entry, whether it waits or was refused. */
  async remove(id: string): Promise<void> {
    await removed(this.fileOf(id));
    await removed(join(this.refusedFolder, `${id}${ending}`));
  }

  private fileOf(id: string): string {
    return join(this.folder, `${id}${ending}`);
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(ending));

/** Another process may have been faster. */
const removed = async (path: string): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
};

const readAll = async <T>(folder: string, schema: Schema<T>): Promise<readonly T[]> => {
  const read: T[] = [];
  for (const name of await namesIn(folder)) {
    const one = await readRecord(join(folder, name), schema);
    if (one !== undefined) read.push(one);
  }
  return read;
};
