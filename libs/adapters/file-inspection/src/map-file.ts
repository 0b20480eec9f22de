import type { FileFacts } from '@fleet/contracts';
import type { FileSource } from './file-source';
import { fileFault } from './file-source';
import { unitCellOf } from './unit-cell';

const headerLength = 1024;
/** Bytes per grid point by mode (MRC2014; 101 packs two points into one byte). */
const pointBytes: Readonly<Record<number, number>> = { 0: 1, 1: 2, 2: 4, 3: 4, 4: 8, 6: 2, 12: 2, 101: 0.5 };

/** Whether the magic word of CCP4 and MRC maps stands where it belongs. */
export const isMap = (start: Buffer): boolean => start.toString('latin1', 208, 211) === 'MAP';

const isBigEndian = (header: Buffer): boolean => {
  const stamp = header[212];
  if (stamp === 0x11) return true;
  if (stamp === 0x44) return false;
  // Some programs leave the stamp empty: then the byte order is the one in which the mode is a mode.
  return pointBytes[header.readInt32LE(12)] === undefined;
};

/** Grid along x, y, z: the file stores columns, rows and sections in the order that words 17 to 19 tell. */
const inAxisOrder = (sizes: readonly number[], axes: readonly number[]): readonly [number, number, number] => {
  const along = (axis: number): number => sizes[axes.indexOf(axis)] ?? sizes[axis - 1] ?? 0;
  return [along(1), along(2), along(3)];
};

/**
 * Facts of a CCP4 or MRC map, from its header alone.
 * @throws Fault `file.corrupt` when the header is impossible or the file is shorter than its grid.
 */
export const inspectMap = async (source: FileSource): Promise<FileFacts> => {
  const header = await source.read(0, headerLength);
  if (header.length < headerLength) throw fileFault('corrupt', source.path, 'it is shorter than the header of a map');
  const big = isBigEndian(header);
  const word = (number: number): number =>
    big ? header.readInt32BE(number * 4 - 4) : header.readInt32LE(number * 4 - 4);
  const real = (number: number): number =>
    big ? header.readFloatBE(number * 4 - 4) : header.readFloatLE(number * 4 - 4);
  const sizes = [word(1), word(2), word(3)];
  const mode = word(4);
  const bytes = pointBytes[mode];
  if (bytes === undefined || sizes.some((size) => size <= 0)) {
    throw fileFault('corrupt', source.path, `its header tells grid ${sizes.join(' x ')} and mode ${mode}`);
  }
  const needed = headerLength + Math.max(0, word(24)) + sizes.reduce((product, size) => product * size, bytes);
  if (needed > source.size) {
    throw fileFault(
      'corrupt',
      source.path,
      `its grid needs ${needed} bytes, the file has ${source.size}: it is truncated`,
    );
  }
  const cell = unitCellOf([11, 12, 13, 14, 15, 16].map((number) => Number(real(number).toFixed(4))));
  const grid = inAxisOrder(sizes, [word(17), word(18), word(19)]);
  const intervals = word(8) > 0 ? word(8) : grid[0];
  return {
    format: 'map',
    ...(cell === undefined ? {} : { cell }),
    map: { grid, mode, voxel: Number(((cell?.[0] ?? 0) / intervals).toFixed(4)) },
  };
};
