import type { TableName } from '@fleet/knowledge-model';
import { ProgramLogFormat } from './index';
import { LineDispatch, triggerOf } from './line-dispatch';
import { tableReaders } from './table-readers';

/** Metrics from the readers of xtriage's tables, which get each line as printed. */
const read = (text: string): Record<string, { readonly value: unknown; readonly line: number }> => {
  const readers = Object.values(tableReaders).map((open) => open());
  const dispatch = new LineDispatch(readers, triggerOf(readers));
  for (const [index, line] of text.split('\n').entries()) dispatch.line(line, index + 1);
  return Object.fromEntries(
    readers
      .flatMap((reader) => reader.metrics())
      .map(({ name, value, line, pattern }) => [name, { value, line, pattern }]),
  );
};

const bin = (range: string, value: string): string => ` | ${range} | [  200/  210] | ${value} |`;
const measurability = (...values: readonly string[]): string =>
  [
    'Table of measurability as a function of resolution',
    ...values.map((value, index) => bin(`${String(9 - index)}.00 - ${String(8 - index)}.00`, value)),
    ' The measurability is defined as the fraction of Bijvoet related',
  ].join('\n');

describe('the table of the anomalous signal', () => {
  it('gives its strongest bin, and the mean of the three bins at lowest resolution', () => {
    expect(read(measurability('0.20', '0.30', '0.10', '0.90', '0.05'))).toEqual({
      anomalous_measurability: { value: 0.9, line: 5, pattern: 'measurability_table' },
      anomalous_measurability_avg: { value: 0.2, line: 2, pattern: 'measurability_table' },
    });
  });

  it('gives the first of equally strong bins, and the mean of the existing ones', () => {
    expect(read(measurability('0.20', '0.2'))).toMatchObject({
      anomalous_measurability: { value: 0.2, line: 2 },
      anomalous_measurability_avg: { value: 0.2 },
    });
  });

  it('ends with its caption, and counts once if it is printed again', () => {
    const text = `${measurability('0.20')}\n${bin('2.00 - 1.00', '0.99')}\n${measurability('0.88')}`;
    expect(read(text)).toMatchObject({ anomalous_measurability: { value: 0.2 } });
  });

  it('is not read from rows under another title', () => {
    expect(read(bin('2.00 - 1.00', '0.99'))).toEqual({});
  });
});

const twin = (law: string, alpha: string): string => ` | ${law} | M | 0.312 | ${alpha} | 0.021 |`;
const twinTable = (...rows: readonly string[]): string => ['Statistics depending on twin laws', ...rows].join('\n');

describe('the table of twin laws', () => {
  it('gives the law with the highest Britton alpha, without its spaces', () => {
    expect(read(twinTable(twin('-h, -k, l', '0.021'), twin('h, -h-k, -l', '0.441'), twin('k,h,-l', '0.441')))).toEqual({
      twin_law: { value: 'h,-h-k,-l', line: 3, pattern: 'twin_law_table' },
      twin_fraction: { value: 0.441, line: 3, pattern: 'twin_law_table' },
    });
  });

  it('is not read from rows under another title, or without a law', () => {
    expect(read(twin('-h,-k,l', '0.2'))).toEqual({});
    expect(read(twinTable(' | Operator | type | R_abs obs. | Britton alpha | H alpha | ML alpha |'))).toEqual({});
  });
});

describe('the verdict on twinning', () => {
  it('is found in a sentence with line breaks at any word, at its first occurrence', () => {
    expect(read('The results are good.  No twinning\n   is suspected.\nNext line')).toEqual({
      no_twinning_suspected: { value: true, line: 2, pattern: 'twin_verdict' },
    });
    expect(read('No twinning is suspected.\nNext line')).toMatchObject({ no_twinning_suspected: { line: 1 } });
  });

  it('may be that the intensities are not as expected, with any line breaks', () => {
    const text = 'intensity statistics are significantly\ndifferent than is expected from good\n';
    expect(read(text)).toEqual({ no_twinning_suspected: { value: false, line: 2, pattern: 'twin_verdict' } });
  });

  it('is the last one of a log', () => {
    const text =
      'No twinning is suspected.\n\nThe statistics\nare significantly different than\nis expected from good data';
    expect(read(text)).toMatchObject({ no_twinning_suspected: { value: false, line: 5 } });
  });
});

describe('the point group', () => {
  const group = 'The likely point group of the data is: P 4 2 2\n\nPossible space groups in this point group are:\n';
  const verdict =
    'expected. No twinning is suspected.\nThe symmetry of the lattice and intensity however suggests that the input\n' +
    'input space group is too low. See the relevant sections of the log file for\nmore details on your choice of space groups.\n';

  it('is that of the intensities if the space group of the file is too low', () => {
    expect(read(`${group}${verdict}`)).toMatchObject({
      likely_point_group: { value: 'P 4 2 2', line: 1, pattern: 'point_group' },
    });
    expect(read(`${group}the assumed space\ngroup is too low.\n`)).toHaveProperty('likely_point_group');
  });

  it('is undefined if it is that of the file, or unknown', () => {
    expect(read(`${group}No twinning is suspected.\n`)).not.toHaveProperty('likely_point_group');
    expect(read(verdict)).not.toHaveProperty('likely_point_group');
  });
});

it('tables are read only in logs of programs whose knowledge names them', () => {
  const log = Buffer.from(`${measurability('0.20', '0.30')}\n${twinTable(twin('-h,-k,l', '0.2'))}\n`);
  const namesOf = (readers: readonly TableName[]): readonly string[] => {
    const reader = new ProgramLogFormat(
      { name: 'phenix.x', metrics: [], tables: { readers, why: 'a test' } },
      { known: [], recoverable: [], endings: [] },
    ).open();
    reader.push(log);
    return reader.end().metrics.map(({ name }) => name);
  };
  expect(namesOf(['twin_verdict'])).toEqual([]);
  expect(namesOf(['measurability', 'twin_law']).toSorted()).toEqual([
    'anomalous_measurability',
    'anomalous_measurability_avg',
    'twin_fraction',
    'twin_law',
  ]);
});
