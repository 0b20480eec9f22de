import type { FileFacts, UnitCell } from '@fleet/contracts';
import { bounds, shownCount } from './bounds';
import { tooComplex } from './complexity-faults';
import { fileFault, type FileSource } from './file-source';
import { freeSetOf } from './free-set';
import { columnFacts, type MtzColumn } from './mtz-columns';
import { readMtzRecords, type MtzRecords } from './mtz-records';
import { unitCellOf } from './unit-cell';

interface Header {
  readonly columns: readonly MtzColumn[];
  readonly columnCount: number;
  readonly reflections: number;
  readonly cell: UnitCell | undefined;
  readonly spaceGroup: string | undefined;
  /** 1/d² in Å⁻², low then high. */
  readonly resolution: readonly [number, number];
}

const isRecord = (record: string, keyword: string): boolean =>
  record.slice(0, keyword.length + 1).toUpperCase() === `${keyword} `;

const recordOf = (records: readonly string[], keyword: string): string =>
  records.find((record) => isRecord(record, keyword)) ?? '';

const fieldsOf = (records: readonly string[], keyword: string): readonly string[] =>
  recordOf(records, keyword).split(/\s+/).slice(1);

/** `COLUMN label type min max dataset`; `?` stands for no value at all. */
const columnOf = (record: string): MtzColumn => {
  const [, label = '', type = '', min = '', max = ''] = record.split(/\s+/);
  return { label, type, min: Number(min), max: Number(max) };
};

const parse = (records: readonly string[]): Header => {
  const [columnCount = 'x', reflections = 'x'] = fieldsOf(records, 'NCOL');
  const [low, high] = fieldsOf(records, 'RESO').map(Number);
  return {
    columns: records.filter((record) => isRecord(record, 'COLUMN')).map(columnOf),
    columnCount: Number(columnCount),
    reflections: Number(reflections),
    cell: unitCellOf(fieldsOf(records, 'CELL').map(Number)),
    spaceGroup: recordOf(records, 'SYMINF').split("'", 2)[1]?.trim(),
    resolution: [low ?? Number.NaN, high ?? Number.NaN],
  };
};

const check = (source: FileSource, header: Header, position: number): void => {
  const { columnCount, reflections, columns } = header;
  if (!Number.isInteger(columnCount) || !Number.isInteger(reflections) || columns.length === 0) {
    throw fileFault('corrupt', source.path, 'its header names no columns or no number of reflections');
  }
  if (columns.length > bounds.mtzColumns) {
    const most = `${shownCount(bounds.mtzColumns)} columns`;
    throw tooComplex(source.path, `its header names more than ${most}`, `at most ${most}`);
  }
  if (columns.length !== columnCount) {
    throw fileFault('corrupt', source.path, `its header names ${columns.length} columns and counts ${columnCount}`);
  }
  if (80 + columnCount * reflections * 4 > position) {
    throw fileFault(
      'corrupt',
      source.path,
      `it is too short for the ${reflections} reflections that its header declares`,
    );
  }
  if (reflections <= 0) throw fileFault('corrupt', source.path, 'it has no reflections');
};

/** Å from 1/d². */
const spacing = (reciprocal: number): number => (reciprocal > 0 ? Number((1 / Math.sqrt(reciprocal)).toFixed(4)) : 0);

/** Hashes of the free reflections; undefined where there is no free set or the file has no indices. */
const freeSet = async (
  source: FileSource,
  { columns, columnCount, reflections }: Header,
  { records, bigEndian }: MtzRecords,
): Promise<string | undefined> => {
  const { freeFlag } = columnFacts(columns);
  const [h, k, l] = columns.flatMap(({ type }, place) => (type === 'H' ? [place] : []));
  if (freeFlag === undefined || h === undefined || k === undefined || l === undefined) return undefined;
  const flag = columns.findIndex(({ label }) => label === freeFlag);
  const symmetry = records.filter((record) => isRecord(record, 'SYMM'));
  return freeSetOf(source, { bigEndian, columnCount, reflections, indices: [h, k, l], flag, symmetry });
};

/**
 * Facts of an MTZ file, from its header alone; of its reflections only which are free.
 * @throws Fault `file.corrupt` with what does not fit, `file.too_complex`.
 */
export const inspectMtz = async (source: FileSource): Promise<FileFacts> => {
  const found = await readMtzRecords(source);
  const header = parse(found.records);
  check(source, header, found.position);
  const free = await freeSet(source, header, found);
  const [one, other] = header.resolution;
  return {
    format: 'mtz',
    ...(header.cell === undefined ? {} : { cell: header.cell }),
    ...(header.spaceGroup === undefined ? {} : { spaceGroup: header.spaceGroup }),
    mtz: {
      reflections: header.reflections,
      highResolution: spacing(Math.max(one, other)),
      lowResolution: spacing(Math.min(one, other)),
      ...columnFacts(header.columns),
      ...(free === undefined ? {} : { freeSet: free }),
    },
  };
};
