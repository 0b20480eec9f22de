import { bounds } from './bounds';
import type { FileSource } from './file-source';
import { asymmetricIndex, rotationsOf, type Rotation } from './mtz-symmetry';

/** Where the reflections of an MTZ file lie, and what tells the free ones. */
export interface FreeColumn {
  readonly bigEndian: boolean;
  readonly columnCount: number;
  readonly reflections: number;
  /** Places of h, k and l among the columns. */
  readonly indices: readonly [number, number, number];
  /** Place of the flags. */
  readonly flag: number;
  /** Header records `SYMM x,y,z`. */
  readonly symmetry: readonly string[];
}

/** Hashes that are kept of each set: enough to tell two sets apart that were drawn at random. */
const keptHashes = 48;
/** Flags number the sets; CCP4 makes 20. A column with more values than this is no test set. */
const maxValues = 100;
const wordBytes = 4;
const firstReflection = 80;
const chunkBytes = 1_048_576;

const mixed = (value: number): number => {
  const spread = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  const again = Math.imul(spread ^ (spread >>> 16), 0x45d9f3b);
  return (again ^ (again >>> 16)) >>> 0;
};

/** The smallest hashes of the reflections that have one flag. */
class SmallestHashes {
  private kept: number[] = [];
  private limit = Infinity;
  count = 0;

  add(hash: number): void {
    this.count += 1;
    if (hash >= this.limit) return;
    this.kept.push(hash);
    if (this.kept.length > keptHashes * 4) this.shorten();
  }

  private shorten(): void {
    this.kept = [...new Set(this.kept)].sort((one, other) => one - other).slice(0, keptHashes);
    if (this.kept.length === keptHashes) this.limit = this.kept.at(-1) ?? Infinity;
  }

  text(): string {
    this.shorten();
    return this.kept.map((hash) => hash.toString(16).padStart(8, '0')).join(' ');
  }
}

type Sets = Map<number, SmallestHashes>;

const addReflections = (sets: Sets, words: DataView, column: FreeColumn, rotations: readonly Rotation[]): void => {
  const { bigEndian, columnCount, indices, flag } = column;
  const rowBytes = columnCount * wordBytes;
  const read = (row: number, place: number): number => words.getFloat32(row + place * wordBytes, !bigEndian);
  for (let row = 0; row + rowBytes <= words.byteLength && sets.size <= maxValues; row += rowBytes) {
    const value = read(row, flag);
    // What is no number was not measured.
    if (!Number.isFinite(value)) continue;
    const [h, k, l] = indices.map((place) => read(row, place));
    const index = asymmetricIndex([h ?? 0, k ?? 0, l ?? 0], rotations);
    const set = sets.get(value) ?? new SmallestHashes();
    set.add(mixed(mixed((index % 2 ** 32) | 0) ^ Math.floor(index / 2 ** 32)));
    sets.set(value, set);
  }
};

/** Of two values the rarer one is free, as PHENIX and everybody else has it; of more than two it is 0, as CCP4 numbers its sets. */
const freeOf = (sets: Sets): SmallestHashes | undefined => {
  if (sets.size < 2 || sets.size > maxValues) return undefined;
  if (sets.size > 2) return sets.get(0);
  return [...sets.values()].reduce((rarer, other) => (other.count < rarer.count ? other : rarer));
};

/**
 * The free set of an MTZ file in a few hundred characters, whatever its asymmetric unit, order and flags: the smallest hashes of the indices
 * that are free. One pass; undefined where the file is larger than is worth it.
 */
export const freeSetOf = async (source: FileSource, column: FreeColumn): Promise<string | undefined> => {
  const rotations = rotationsOf(column.symmetry);
  const rowBytes = column.columnCount * wordBytes;
  const bytes = rowBytes * column.reflections;
  if (bytes > bounds.freeSetBytes || column.reflections * rotations.length > bounds.freeSetSteps) return undefined;
  const sets: Sets = new Map();
  const rows = Math.max(1, Math.floor(chunkBytes / rowBytes)) * rowBytes;
  for (let at = 0; at < bytes && sets.size <= maxValues; at += rows) {
    const part = await source.read(firstReflection + at, Math.min(rows, bytes - at));
    addReflections(sets, new DataView(part.buffer, part.byteOffset, part.byteLength), column, rotations);
  }
  return freeOf(sets)?.text();
};
