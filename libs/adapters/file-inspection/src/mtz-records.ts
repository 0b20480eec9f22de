import { bounds, shownCount } from './bounds';
import { tooComplex } from './complexity-faults';
import { fileFault, type FileSource } from './file-source';

const recordLength = 80;
const longestHeader = bounds.mtzRecords * recordLength;
/** Reflections start after 20 words; a header cannot lie before them. */
const firstDataByte = 80;

const isBigEndian = (start: Buffer): boolean => (start[8] ?? 0) >> 4 === 1;

/** Where the header lies, in bytes. The file's own byte order is told by its machine stamp: 0x44 little-endian, 0x11 big-endian. */
const headerPosition = (start: Buffer): number => {
  const big = isBigEndian(start);
  const word = big ? start.readInt32BE(4) : start.readInt32LE(4);
  // Files beyond 8 GiB keep the place in a 64-bit word.
  const words = word === -1 ? Number(big ? start.readBigInt64BE(12) : start.readBigInt64LE(12)) : word;
  return (words - 1) * 4;
};

export interface MtzRecords {
  readonly records: readonly string[];
  /** Of the header, in bytes. */
  readonly position: number;
  readonly bigEndian: boolean;
}

/**
 * The header records of an MTZ file, up to END, trimmed.
 * @throws Fault `file.corrupt` when the header is not where the file says, or is not one.
 */
export const readMtzRecords = async (source: FileSource): Promise<MtzRecords> => {
  const start = await source.read(0, firstDataByte);
  if (start.length < firstDataByte)
    throw fileFault('corrupt', source.path, 'it is shorter than the start of an MTZ file');
  const position = headerPosition(start);
  if (position < firstDataByte || position >= source.size) {
    const reason = `its header should lie at byte ${position}, the file has ${source.size} bytes: it is truncated or damaged`;
    throw fileFault('corrupt', source.path, reason);
  }
  const text = (await source.read(position, Math.min(longestHeader, source.size - position))).toString('latin1');
  const records: string[] = [];
  for (let at = 0; at < text.length; at += recordLength) {
    const record = text.slice(at, at + recordLength).trim();
    if (record === 'END' || record.startsWith('END ')) return { records, position, bigEndian: isBigEndian(start) };
    records.push(record);
  }
  if (records.length === bounds.mtzRecords) {
    const most = `${shownCount(bounds.mtzRecords)} records`;
    throw tooComplex(source.path, `its header has no END record within ${most}`, `a header of at most ${most}`);
  }
  throw fileFault('corrupt', source.path, 'its header has no END record: it is truncated or damaged');
};
