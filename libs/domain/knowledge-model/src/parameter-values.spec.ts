import * as fc from 'fast-check';
import { textTypes, type ParameterType } from './parameter-type';
import { allowedValues, problemWithValue, problemWithRequest } from './parameter-values';

const nproc: ParameterType = { type: 'integer', min: 1, max: 64 };
const resolution: ParameterType = { type: 'number', min: 0.3, max: 50, unit: 'Å' };
const choice: ParameterType = { type: 'choice', choices: ['quick', 'thorough'] };
const element: ParameterType = { type: 'element', also: ['TX'] };

type Row = readonly [type: ParameterType, accepted: readonly unknown[], refused: readonly unknown[]];

const rows: readonly Row[] = [
  [nproc, [1, 64], [0, 65, 100_000, 1.5, -1, '4', true, NaN, Infinity, null]],
  [resolution, [0.3, 2.5, 50], [0, 0.29, 51, '2.5', NaN, -Infinity, false]],
  [{ type: 'boolean' }, [true, false], ['True', 1, 'yes']],
  [choice, ['quick'], ['Quick', 'quick ', '', 0, true]],
  [element, ['Se', 'SE', 's', 'TX'], ['Xx', 'S e', 'unobtainium', '', 'Se\n', 34]],
  [{ type: 'elements' }, ['S', 'Ca Zn', 'Ca,Zn', 'S+Se'], ['S;Se', 'S  Se', 'None', 'Xx S', ',S', '']],
  [
    { type: 'labels' },
    ['FP,SIGFP', 'I(+),SIGI(+),I(-),SIGI(-)', 'IMEAN_XDSdataset', 'F-obs', '_refln.F_meas_au', 'FreeR_flag', '2FOFCWT'],
    ['/etc/passwd', 'a/b', 'FP, SIGFP', 'FP SIGFP', 'FP;x', 'FP=1', '', ',FP', 'None', 'F\u00e9', 'F'.repeat(65)],
  ],
  [
    { type: 'name' },
    ['Quick', 'b-factor', 'D7', 'half_map'],
    ['-x', '../x', 'a b', 'a/b', 'Auto', 'a=b', '', 'x'.repeat(65)],
  ],
  [{ type: 'output_name' }, ['refine_001', 'a.b_with_ligand.pdb'], ['/x', '../x', 'a/b', '.x', '-x', 'a b', 'x\0', '']],
  [
    { type: 'selection' },
    [
      'chain A and resseq 5:10',
      'resname MES and resseq 88',
      `chain "A" and name O5'`,
      '(not water)',
      'solvent molecule MES 88',
      'bfactor > 30',
    ],
    [
      'chain A; x',
      'chain A\nx',
      'chain A # x',
      'a {b}',
      '$x',
      'a\\',
      'a = b',
      '',
      'None',
      'x'.repeat(501),
      'chain \u00c5',
    ],
  ],
  [
    { type: 'space_group' },
    [
      'P4(1)2(1)2',
      'P 21 21 21 (No. 19)',
      'I 41 3 2',
      'P 32 2 1',
      'P212121',
      'R 3 :H',
      'C 1 2 1',
      'P 21/c',
      '19',
      'P 2 21 21 (c,a,b)',
    ],
    [
      'automatic',
      'Best guess',
      'Not specified',
      'P 21 and more',
      '0',
      '1000',
      'x',
      '/P 1',
      'P 1;',
      'P 1\n',
      'P "1"',
      '',
    ],
  ],
  [
    { type: 'twin_law' },
    ['h,-k,-l', '-h-k,k,-l', '1/2*h+1/2*k, k, l', 'K,H,-L'],
    ['h,k', 'h,k,l,h', 'h,k,1', 'h,-k,-l x=1', 'h,-k,-l\n', '', 'h;k;l'],
  ],
  [
    { type: 'unit_cell' },
    ['75 75 133 90 90 120', '54.7,69.6,77.0,90,90,90', '54.7, 69.6, 77.0, 90, 90, 90'],
    [
      '75 75 133',
      '0 75 133 90 90 90',
      '75 75 9999 90 90 90',
      '75 75 133 90 90 200',
      '75 75 133 20 20 120',
      '1e5 1 1 90 90 90',
      '',
    ],
  ],
];

describe.each(rows)('%j', (type, accepted, refused) => {
  it.each(accepted)('accepts %j', (value) => {
    expect(problemWithValue(type, value as string)).toBeUndefined();
  });

  it.each(refused)('refuses %j', (value) => {
    const allowed = allowedValues(type);
    expect(problemWithValue(type, value as string)).toEqual({ reason: `must be ${allowed}`, allowed });
  });
});

describe('a text of any type', () => {
  const forbidden = /[\p{Cc}\p{Zl}\p{Zp};#{}$\\=`%]|^[/.~-]/u;
  const nasty = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc
      .array(fc.constantFrom(...Array.from(`abXY09 _.,:+-*/'"()<>;#{}$\\=\n\t\0\`%`)), { maxLength: 30 })
      .map((all) => all.join('')),
  );

  it.each(textTypes)('%s contains nothing that PHIL could read as more than a value', (type) => {
    const accepted = fc
      .sample(nasty, { numRuns: 20_000, seed: 12 })
      .filter((value) => !problemWithValue({ type }, value));
    expect(accepted.filter((value) => forbidden.test(value))).toEqual([]);
  });

  it('is validated in linear time', () => {
    for (const type of textTypes) {
      const long = ['h', ' ', '-', '1', ',', "'", 'A '].map((part) => part.repeat(1_000_000));
      for (const value of long) expect(problemWithValue({ type }, value)).toBeDefined();
    }
  });
});

describe('a requested value', () => {
  it('never names an output', () => {
    const definition = { key: 'output_prefix', parameter: 'output.prefix', type: 'output_name', source: 'x' } as const;
    expect(problemWithValue(definition, 'mine')).toBeUndefined();
    expect(problemWithRequest(definition, 'mine')?.reason).toBe(
      'names what the program writes, which only this service does',
    );
  });
});
