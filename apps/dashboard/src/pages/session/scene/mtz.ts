import { sceneTexts } from '../../../texts/scene';

type Triple = readonly [number, number, number];

/** x' = Rx + t, in fractions of the cell. */
export interface Operation {
  readonly rotation: readonly [Triple, Triple, Triple];
  readonly translation: Triple;
}

/** What a map is made of: indices, and for each map amplitudes and phases (degrees), a reflection at the same place in each. */
export interface Coefficients {
  /** a, b, c in Å, alpha, beta, gamma in degrees. */
  readonly cell: readonly number[];
  readonly operations: readonly Operation[];
  readonly count: number;
  /** The value of a column, NaN where it is missing. */
  value(reflection: number, column: number): number;
  /** @throws Error with a sentence where the file has no such column */
  columnOf(label: string): number;
}

const recordLength = 80;
const mostRecords = 5000;

const axisRow = (text: string): { readonly row: Triple; readonly shift: number } => {
  const row: [number, number, number] = [0, 0, 0];
  let shift = 0;
  for (const [, sign, axis, above, below] of text.matchAll(/([+-]?)\s*(?:([xyz])|(\d+)\s*(?:\/\s*(\d+))?)/gi)) {
    const by = sign === '-' ? -1 : 1;
    if (axis !== undefined) row['xyz'.indexOf(axis.toLowerCase())] = by;
    else shift += (by * Number(above)) / Number(below ?? 1);
  }
  return { row, shift };
};

/** Of a record `SYMM X,Y,Z`. */
export const operationOf = (record: string): Operation => {
  const [x, y, z] = record
    .replace(/^\s*symm\s/i, '')
    .split(',')
    .map(axisRow);
  if (x === undefined || y === undefined || z === undefined) throw new Error(sceneTexts.damaged('MTZ'));
  return { rotation: [x.row, y.row, z.row], translation: [x.shift, y.shift, z.shift] };
};

interface Header {
  readonly records: readonly string[];
  readonly little: boolean;
}

const headerOf = (view: DataView): Header => {
  if (view.byteLength < recordLength || view.getUint32(0) !== 0x4d545a20) throw new Error(sceneTexts.damaged('MTZ'));
  const little = view.getUint8(8) >> 4 !== 1;
  const from = (view.getInt32(4, little) - 1) * 4;
  const records: string[] = [];
  const text = new TextDecoder('latin1');
  for (let at = from; at >= 0 && at + recordLength <= view.byteLength; at += recordLength) {
    const record = text.decode(new Uint8Array(view.buffer, at, recordLength)).trim();
    if (record === 'END' || records.length > mostRecords) return { records, little };
    records.push(record);
  }
  throw new Error(sceneTexts.damaged('MTZ'));
};

const fieldsOf = (records: readonly string[], keyword: string): readonly string[] =>
  records
    .find((record) => record.toUpperCase().startsWith(`${keyword} `))
    ?.split(/\s+/)
    .slice(1) ?? [];

const isCell = (cell: readonly number[]): boolean =>
  cell.length === 6 &&
  cell.every((value, at) => value > 0 && value < (at < 3 ? 10_000 : 180)) &&
  cell.slice(3).reduce((sum, angle) => sum + angle, 0) < 360;

/**
 * What an MTZ file holds.
 * @throws Error with a sentence where it is damaged
 */
export const readMtz = (file: ArrayBuffer): Coefficients => {
  const view = new DataView(file);
  const { records, little } = headerOf(view);
  const [columns = Number.NaN, count = Number.NaN] = fieldsOf(records, 'NCOL').map(Number);
  const cell = fieldsOf(records, 'CELL').map(Number);
  const labels = records.filter((record) => /^column /i.test(record)).map((record) => record.split(/\s+/)[1] ?? '');
  const isWhole = labels.length === columns && recordLength + columns * count * 4 <= view.byteLength;
  if (!isWhole || !isCell(cell)) throw new Error(sceneTexts.damaged('MTZ'));
  const none = Number(fieldsOf(records, 'VALM')[0] ?? Number.NaN);
  const operations = records.filter((record) => /^symm /i.test(record)).map(operationOf);
  return {
    cell,
    operations: operations.length > 0 ? operations : [operationOf('X,Y,Z')],
    count,
    value: (reflection, column) => {
      const value = view.getFloat32(recordLength + (reflection * columns + column) * 4, little);
      return value === none ? Number.NaN : value;
    },
    columnOf: (label) => {
      const at = labels.indexOf(label);
      if (at < 0) throw new Error(sceneTexts.noColumn(label));
      return at;
    },
  };
};
