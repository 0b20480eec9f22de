import { Readable, pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive; its content is read only when it is its turn. */
export interface ZipEntry {
  /** With slashes; relative to the folder where the archive is unpacked. */
  readonly name: string;
  readonly modified: Date;
  /** Bytes, as far as known: from 4 GiB on they are written in another form. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** A written file, for the central directory. */
interface Written {
  readonly name: Buffer;
  readonly moment: readonly Field[];
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

type Field = readonly [value: number, bytes: 2 | 4 | 8];

const largest = 0xffff_ffff;
const mostEntries = 0xffff;

/** Size, offset and number from which values are written in 64 bits (Zip64). */
interface Limits {
  readonly bytes: number;
  readonly entries: number;
}

/** Somewhat less than 32 bits, because compressed data may be a little larger. */
const limitsOfZip: Limits = { bytes: 0xf000_0000, entries: mostEntries };

/** 4.5: the first version of the format with Zip64. */
const version: Field = [45, 2];
/** Sizes follow the content, and names are UTF-8. */
const flags: Field = [0x0808, 2];
const deflated: Field = [8, 2];

const fields = (...all: readonly Field[]): Buffer => {
  const bytes = Buffer.alloc(all.reduce((sum, [, length]) => sum + length, 0));
  let at = 0;
  for (const [value, length] of all) {
    if (length === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, length);
    at += length;
  }
  return bytes;
};

/** MS-DOS time in UTC: a resolution of two seconds, from 1980 on. */
const momentOf = (date: Date): readonly Field[] => {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107) - 1980;
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return [
    [time, 2],
    [day, 2],
  ];
};

const localHeader = (name: Buffer, moment: readonly Field[], isLarge: boolean): Buffer =>
  Buffer.concat([
    fields([0x04034b50, 4], version, flags, deflated, ...moment, [0, 4]),
    isLarge ? fields([largest, 4], [largest, 4]) : fields([0, 4], [0, 4]),
    fields([name.length, 2], [isLarge ? 20 : 0, 2]),
    name,
    isLarge ? fields([1, 2], [16, 2], [0, 8], [0, 8]) : Buffer.alloc(0),
  ]);

const descriptor = ({ crc, packed, size }: Pick<Written, 'crc' | 'packed' | 'size'>, isLarge: boolean): Buffer =>
  fields([0x08074b50, 4], [crc, 4], [packed, isLarge ? 8 : 4], [size, isLarge ? 8 : 4]);

const centralHeader = ({ name, moment, crc, packed, size, at }: Written, limits: Limits): Buffer => {
  const isLarge = [packed, size, at].some((value) => value >= limits.bytes);
  const narrow = (value: number): Field => [isLarge ? largest : value, 4];
  return Buffer.concat([
    fields([0x02014b50, 4], [(3 << 8) | 45, 2], version, flags, deflated, ...moment, [crc, 4]),
    fields(narrow(packed), narrow(size), [name.length, 2], [isLarge ? 28 : 0, 2], [0, 2], [0, 2], [0, 2]),
    // A plain file, writable by its owner and readable by all.
    fields([0o100644 * 0x10000, 4], narrow(at)),
    name,
    isLarge ? fields([1, 2], [24, 2], [size, 8], [packed, 8], [at, 8]) : Buffer.alloc(0),
  ]);
};

const ending = (count: number, at: number, length: number, limits: Limits): Buffer => {
  const isLarge = count >= limits.entries || at + length >= limits.bytes;
  const narrowCount: Field = [isLarge ? mostEntries : count, 2];
  const large = Buffer.concat([
    fields([0x06064b50, 4], [44, 8], [45, 2], version, [0, 4], [0, 4], [count, 8], [count, 8], [length, 8], [at, 8]),
    fields([0x07064b50, 4], [0, 4], [at + length, 8], [1, 4]),
  ]);
  return Buffer.concat([
    isLarge ? large : Buffer.alloc(0),
    fields([0x06054b50, 4], [0, 2], [0, 2], narrowCount, narrowCount),
    fields([isLarge ? largest : length, 4], [isLarge ? largest : at, 4], [0, 2]),
  ]);
};

/** Counts bytes and updates the checksum. */
class Tally {
  crc = 0;
  size = 0;

  async *counting(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of content) {
      this.crc = crc32(bytes, this.crc);
      this.size += bytes.length;
      yield bytes;
    }
  }
}

/**
 * Compressed in one of Node's threads, fast rather than small: maps and reflections hardly shrink. Ends when the reader
 * stops.
 */
async function* packedContent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const packer = createDeflateRaw({ level: 1 });
  // The packer's reader gets an error of the source below.
  pipeline(Readable.from(content), packer, () => undefined);
  for await (const bytes of packer) yield bytes as Buffer;
}

/**
 * Streams an archive (ZIP, with Zip64 if needed) of files that are read in sequence. It stores only a line for each
 * file. Why no library is used: docs/adr/0030-own-writer-of-archives.md.
 * @throws Error if a file is larger than announced; the archive is truncated then, so that it cannot pass for a
 *   complete one
 */
export async function* zipped(entries: AsyncIterable<ZipEntry>, limits: Limits = limitsOfZip): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let at = 0;
  for await (const { name: text, modified, size: said, content } of entries) {
    const [name, moment, isLarge] = [Buffer.from(text), momentOf(modified), said >= limits.bytes];
    const [tally, begin] = [new Tally(), at];
    const header = localHeader(name, moment, isLarge);
    yield header;
    let packed = 0;
    for await (const bytes of packedContent(tally.counting(content))) {
      packed += bytes.length;
      yield bytes;
    }
    const { crc, size } = tally;
    if (!isLarge && Math.max(size, packed) > largest) throw new Error(`${text} has grown to ${String(size)} bytes`);
    yield descriptor({ crc, packed, size }, isLarge);
    at += header.length + packed + (isLarge ? 24 : 16);
    written.push({ name, moment, crc, packed, size, at: begin });
  }
  const list = Buffer.concat(written.map((one) => centralHeader(one, limits)));
  yield list;
  yield ending(written.length, at, list.length, limits);
}
