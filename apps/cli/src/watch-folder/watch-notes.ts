import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  choice,
  exactly,
  list,
  mapOf,
  number,
  record,
  text,
  time,
  type Described,
  type Schema,
} from '@fleet/contracts/schema';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { readRecord } from '../state/read-record';
import { ownFolder, writeWhole } from '../state/write-whole';
import type { Sighting } from './settling';

/**
 * The state of a dataset:
 * - `pending`: it is about to be submitted; the gateway may be unreachable, or have it already;
 * - `submitted`: the gateway has it;
 * - `refused`: the gateway rejected it for good.
 */
const datasetStates = ['pending', 'submitted', 'refused'] as const;

const datasetNoteSchema = record(
  {
    layout: exactly(1),
    path: text(),
    sign: text('size and time of its file'),
    content: text('SHA-256 of its file'),
    key: text('the Idempotency-Key that it is submitted with'),
    state: choice(datasetStates),
    at: time(),
  },
  {
    session: text(),
    reason: text('why it was refused'),
    changed: text('SHA-256 of a later file that was reported and not submitted'),
    earlier: list(text(), 'sessions of earlier files of that name'),
  },
);
/** The stored state of a dataset. */
export type DatasetNote = Described<typeof datasetNoteSchema>;

const watchSchema = record({ layout: exactly(1), folder: text(), pattern: text() });
const sightingsSchema: Schema<Readonly<Record<string, Sighting>>> = mapOf(record({ sign: text(), since: number() }));

/** The state of a watched folder, with a file for each dataset, so that concurrent watchers lose nothing. */
export class WatchNotes {
  private readonly known = new Map<string, DatasetNote>();

  private constructor(readonly folder: string) {}

  /**
   * @param folder of the notes
   * @param of what is watched
   * @throws CliError `usage` if the notes belong to another folder
   */
  static async open(folder: string, of: { readonly folder: string; readonly pattern: string }): Promise<WatchNotes> {
    await ownFolder(folder);
    const path = join(folder, 'watch.json');
    const earlier = await readRecord(path, watchSchema);
    if (earlier === undefined) await writeWhole(path, { layout: 1, ...of });
    else if (earlier.folder !== of.folder || earlier.pattern !== of.pattern)
      throw new CliError(
        exitCodes.usage,
        `${folder} belongs to the watch of ${earlier.folder}/${earlier.pattern}. Give this watch another --name.`,
      );
    return new WatchNotes(folder);
  }

  /** The state of a dataset, as last seen by this process. */
  async of(path: string): Promise<DatasetNote | undefined> {
    return this.known.get(path) ?? this.fresh(path);
  }

  /** Its current state on disk, where another watcher may have written it. */
  async fresh(path: string): Promise<DatasetNote | undefined> {
    const note = await readRecord(this.fileOf(path), datasetNoteSchema);
    if (note !== undefined) this.known.set(path, note);
    return note;
  }

  async put(note: DatasetNote): Promise<void> {
    await writeWhole(this.fileOf(note.path), note);
    this.known.set(note.path, note);
  }

  async sightings(): Promise<Readonly<Record<string, Sighting>>> {
    return (await readRecord(join(this.folder, 'seen.json'), sightingsSchema)) ?? {};
  }

  async keepSightings(sightings: Readonly<Record<string, Sighting>>): Promise<void> {
    await writeWhole(join(this.folder, 'seen.json'), sightings);
  }

  private fileOf(path: string): string {
    const digits = createHash('sha256').update(path).digest('hex').slice(0, 40);
    return join(this.folder, 'datasets', digits.slice(0, 2), `${digits}.json`);
  }
}
