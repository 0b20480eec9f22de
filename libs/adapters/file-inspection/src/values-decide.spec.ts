import { mapBytes, mtzBytes } from '@fleet/testing';
import { FileBench } from './fixtures/file-bench';

const bench = new FileBench();
afterAll(() => bench.remove());

type Column = readonly [label: string, type: string, min?: number, max?: number];
const indices: readonly Column[] = [
  ['H', 'H'],
  ['K', 'H'],
  ['L', 'H'],
];
let files = 0;
const mtzOf = async (columns: readonly Column[], records: Readonly<Record<string, string>> = {}) => {
  files += 1;
  const bytes = mtzBytes({ columns: [...indices, ...columns], reflections: 40, records });
  return bench.factsOf(`${String(files)}.mtz`, bytes);
};

describe('columns', () => {
  it('with one constant value are not a measurement', async () => {
    const { mtz } = await mtzOf([
      ['F_unique', 'F', 10, 10],
      ['SIGF_unique', 'Q', 1, 1],
      ['IMEAN', 'J', 1, 900],
      ['SIGIMEAN', 'Q', 1, 9],
    ]);
    expect(mtz?.observations.map(({ labels }) => labels)).toEqual(['IMEAN,SIGIMEAN']);
    expect(mtz?.withoutValues).toEqual(['F_unique', 'SIGF_unique']);
  });

  it('of equal Friedel mates are not anomalous', async () => {
    const { mtz } = await mtzOf([
      ['F', 'F', 1, 900],
      ['SIGF', 'Q', 1, 9],
      ['DANO', 'D', 0, 0],
      ['SIGDANO', 'Q', 1, 9],
    ]);
    expect(mtz?.observations).toEqual([{ labels: 'F,SIGF', kind: 'amplitude', anomalous: false }]);
  });

  it('of constant flags are not a test set', async () => {
    const { mtz, notes } = await mtzOf([['FreeR_flag', 'I', 1, 1]]);
    expect([mtz?.freeFlag, notes]).toEqual([undefined, [expect.stringContaining('No test set')]]);
  });

  it.each([
    ['one value', 1, true],
    ['zero everywhere', 0, false],
  ])('of standard uncertainties with %s: used %s', async (_, value, isUsed) => {
    const { mtz, notes } = await mtzOf([
      ['FP', 'F', 1, 900],
      ['SIGFP', 'Q', value, value],
    ]);
    expect(mtz?.observations).toHaveLength(isUsed ? 1 : 0);
    expect(notes).toEqual(isUsed ? undefined : [expect.stringMatching(/without standard uncertainties.*: FP\.$/)]);
  });

  const hl: readonly Column[] = [
    ['HLA', 'A', 1, 9],
    ['HLB', 'A', 0, 0],
    ['HLC', 'A', 0, 0],
    ['HLD', 'A', 0, 0],
  ];
  const model: readonly Column[] = [
    ['FC', 'F', 1, 900],
    ['PHIC', 'P', 0, 0],
  ];
  const maps: readonly Column[] = ['FWT', 'DELFWT'].flatMap((label): readonly Column[] => [
    [label, 'F', 1, 900],
    [`PH${label.replace('F', '')}`, 'P', 0, 0],
  ]);

  it.each<[string, readonly Column[], boolean]>([
    ['as a model has them', [...model, ...hl], false],
    ['as the map beside a difference map has them', [...maps, ...hl], false],
    ['that a map without a difference map has too', [...maps.slice(0, 2), ...hl], true],
    ['other than those of a model', [model[0]!, ['PHIC', 'P', 90, 90], ...hl], true],
    ['after density modification beside those of a model', [...model, ['PHIDM', 'P', 10, 170]], false],
    ['after density modification alone', [['PHIDM', 'P', 10, 170]], true],
    ['in a column of their own', [...model, ['FOM', 'W', 0, 1], ['PHIB', 'P', 10, 170]], true],
  ])('of phases %s: experimental %s', async (_, columns, isExperimental) => {
    const { mtz, notes = [] } = await mtzOf([['F', 'F', 1, 900], ['SIGF', 'Q', 1, 9], ...columns]);
    expect(mtz?.phases).toHaveLength(isExperimental ? 1 : 0);
    expect(notes.join()).toMatch(
      isExperimental ? /count as experimental.*: (HLA|PHIB|PHIDM)\.$/ : /^Phases of a model.*: (HLA|PHIDM)\.$/,
    );
  });

  it('of equal Friedel mates apart hold no signal, which is reported', async () => {
    const tags = [
      'index_h',
      'index_k',
      'index_l',
      ...['plus', 'plus_sigma', 'minus', 'minus_sigma'].map((name) => `pdbx_I_${name}`),
    ];
    const rows = [1, 2, 3].map((h) => `${String(h)} 0 1 ${String(10 * h)} 1 ${String(10 * h)} 1`);
    const { mtz, notes } = await bench.factsOf(
      'mates.cif',
      `data_x\nloop_\n${tags.map((tag) => `_refln.${tag}\n`).join('')}${rows.join('\n')}\n`,
    );
    expect(mtz?.observations).toMatchObject([{ anomalous: false }]);
    expect(notes).toEqual([expect.stringMatching(/^No anomalous signal.*: _refln\.pdbx_I_plus,/)]);
  });

  it('of two sets of flags are both reported', async () => {
    const flags: readonly Column[] = [
      ['FreeR_flag', 'I', 0, 19],
      ['R-free-flags', 'I', 0, 1],
    ];
    expect((await mtzOf(flags)).mtz).toMatchObject({ freeFlag: 'FreeR_flag', otherFreeFlags: ['R-free-flags'] });
  });
});

it('have resolution limits from the data, whatever the header contains', async () => {
  const { mtz } = await mtzOf([['F', 'F', 1, 900]], { RESO: 'RESO 0.0 99.0' });
  expect(mtz).toMatchObject({ highResolution: 2, lowResolution: 33.6744 });
});

describe('the space group of a file', () => {
  const operators = { SYMM: 'SYMM X,  Y,  Z', SYMM2: 'SYMM -X,  Y+1/2,  -Z' };

  it.each([
    ['quoted', "SYMINF 4 4 P 19 'P 21 21 21' PG222", {}, 'P 21 21 21'],
    ['without quotes', 'SYMINF 4 4 P 19 P212121 PG222', {}, 'P 21 21 21'],
    ['by its number alone', "SYMINF 4 4 P 19 ' ' PG222", {}, 'P 21 21 21'],
    ['by its operators', "SYMINF 2 2 P 0 ' ' PG2", operators, 'P 1 21 1'],
  ])('is read %s', async (_, SYMINF, more, expected) => {
    expect((await mtzOf([['F', 'F', 1, 900]], { SYMINF, ...more })).spaceGroup).toBe(expected);
  });

  it('is that of its operators if they disagree, with a note', async () => {
    const { spaceGroup, notes } = await mtzOf([['IC', 'J', 1, 1]], operators);
    expect(spaceGroup).toBe('P 1 21 1');
    expect(notes).toEqual([expect.stringContaining('by operators P 1 21 1, by name P 21 21 21')]);
  });
});

it('a map with constant 0 and 1 regions is a mask', async () => {
  const bytes = mapBytes({ size: [8, 8, 8] });
  for (let point = 0; point < 512; point += 1) bytes.writeFloatLE(point % 8 < 3 ? 1 : 0, 1024 + point * 4);
  expect((await bench.factsOf('half_map_1.map', bytes)).map?.mask).toBe(true);
  expect((await bench.factsOf('mask.map', mapBytes({ size: [8, 8, 8] }))).map?.mask).toBeUndefined();
});

const sfCif = (block: string, cell: number, tags: readonly string[]): string => `data_${block}
_cell.length_a ${String(cell)}
_cell.length_b 60
_cell.length_c 70
_cell.angle_alpha 90
_cell.angle_beta 90
_cell.angle_gamma 90
_symmetry.space_group_name_H-M 'P 21 21 21'
loop_
_refln.index_h
_refln.index_k
_refln.index_l
${tags.map((tag) => `_refln.${tag}`).join('\n')}
${Array.from({ length: 9 }, (_, l) => `1 2 ${String(l)} ${tags.map((__, at) => String(l * 3 + at + 1)).join(' ')}`).join('\n')}
`;

it('a CIF is represented by its first block with observations, without map coefficients', async () => {
  const content =
    sfCif('map', 50, ['pdbx_FWT', 'pdbx_PHWT']) +
    sfCif('native', 51, ['F_meas_au', 'F_meas_sigma_au']) +
    sfCif('peak', 52, ['intensity_meas', 'intensity_sigma']);
  const { cell, mtz, notes } = await bench.factsOf('r1abcsf.ent', content);
  expect(cell?.[0]).toBe(51);
  expect(mtz?.observations.map(({ labels }) => labels)).toEqual(['native,_refln.F_meas_au,_refln.F_meas_sigma_au']);
  expect(mtz?.otherArrays).toEqual(['_refln.intensity_meas,_refln.intensity_sigma']);
  expect(notes?.join()).toMatch(
    /Used: native \(_refln.F_meas.*Not used: map \(no observations.*peak \(_refln.intensity_meas/,
  );
});

it('a CIF with several wavelengths in one loop is that of the first, and not unmerged', async () => {
  const tags = ['F_meas_au', 'F_meas_sigma_au'];
  const [head = '', rows = ''] = sfCif('mad', 50, ['wavelength_id', ...tags]).split(/(?<=_sigma_au\n)/);
  const of = (wavelength: number): string => rows.replace(/^(1 2 \d) \d+/gm, `$1 ${String(wavelength)}`);
  const { mtz, notes } = await bench.factsOf('r1madsf.ent', head + of(1) + of(2));
  const labels = 'mad,_refln.F_meas_au,_refln.F_meas_sigma_au,wavelength_id=1';
  expect(mtz).toMatchObject({ reflections: 9, observations: [{ labels }], otherArrays: [expect.any(String)] });
  expect(mtz?.unmerged).toBeUndefined();
  expect(notes).toEqual([expect.stringContaining('Used: wavelength_id=1, the first. Not used: wavelength_id=2.')]);
});

/** Three reflections as XDS writes them, with so many numbers after the sigma. */
const xds = (head: readonly string[], more: number): string => {
  const lines = [
    ...head,
    '!SPACE_GROUP_NUMBER=   19',
    '!UNIT_CELL_CONSTANTS=    50.000    60.000    70.000  90.000  90.000  90.000',
    `!NUMBER_OF_ITEMS_IN_EACH_DATA_RECORD=${String(5 + more)}`,
    ...(more > 7 ? integrated : corrected),
    '!END_OF_HEADER',
    ...[1, 2, 3].map((l) => `0 0 ${String(l)} ${String(l * 100)} 5.0${' 1'.repeat(more)}`),
    '!END_OF_DATA',
    '',
  ];
  return lines.join('\n');
};
const corrected = ['H', 'K', 'L', 'IOBS', 'SIGMA(IOBS)', 'XD', 'YD', 'ZD', 'RLP', 'PEAK', 'CORR', 'PSI'].map(
  (item, index) => `!ITEM_${item}=${String(index + 1)}`,
);
const integrated = [
  '!H,K,L,IOBS,SIGMA,XCAL,YCAL,ZCAL,RLP,PEAK,CORR,MAXC,',
  '!             XOBS,YOBS,ZOBS,ALF0,BET0,ALF1,BET1,PSI',
];
const asCorrected = (merge: string): string => {
  const format = `!FORMAT=XDS_ASCII    MERGE=${merge}    FRIEDEL'S_LAW=FALSE`;
  return xds([format, '!Generated by CORRECT   (VERSION Jan 10, 2022  BUILT=20220820)'], 7);
};

it('XDS_ASCII is unmerged data, which CORRECT has scaled', async () => {
  const facts = await bench.factsOf('XDS_ASCII.HKL', asCorrected('FALSE'));
  expect(facts).toMatchObject({
    format: 'xds-ascii',
    spaceGroup: 'P 21 21 21',
    mtz: { unmerged: true, reflections: 3, observations: [{ kind: 'intensity', anomalous: true }] },
  });
  expect(facts.mtz).not.toHaveProperty('unscaled');
  expect((await bench.factsOf('MERGED.HKL', asCorrected('TRUE'))).mtz).not.toHaveProperty('unmerged');
});

it('INTEGRATE.HKL is data that nobody has scaled', async () => {
  const head = [
    '!OUTPUT_FILE=INTEGRATE.HKL    DATE= 8-Feb-2013',
    '!Generated by INTEGRATE    (VERSION  September 26, 2012)',
  ];
  expect(await bench.factsOf('INTEGRATE.HKL', xds(head, 15))).toMatchObject({
    format: 'xds-ascii',
    mtz: { unmerged: true, unscaled: true, reflections: 3 },
  });
});

describe('an unmerged MTZ file', () => {
  const intensities: readonly Column[] = [
    ['M/ISYM', 'Y', 1, 1],
    ['BATCH', 'B', 1, 40],
    ['I', 'J', 1, 900],
    ['SIGI', 'Q', 1, 9],
  ];
  const profile: readonly Column[] = [
    ['IPR', 'J', 1, 900],
    ['SIGIPR', 'Q', 1, 9],
  ];
  it.each<[string, readonly Column[], boolean]>([
    ['with profile-fitted intensities beside summed ones, as MOSFLM and DIALS integrate', profile, true],
    ['with the scales of AIMLESS or DIALS', [['SCALEUSED', 'R', 1, 2]], false],
    ['with one kind of intensity and no scales, as POINTLESS makes it of XDS_ASCII.HKL', [], false],
  ])('%s', async (_, more, isUnscaled) => {
    const columns = [...indices, ...intensities, ...more];
    const bytes = mtzBytes({ columns, reflections: 40 });
    // The second half of the reflections is the first half again.
    bytes.copy(bytes, 80 + 80 * columns.length, 80, 80 + 80 * columns.length);
    const { mtz } = await bench.factsOf('unmerged.mtz', bytes);
    expect(mtz?.unmerged).toBe(true);
    expect(mtz?.unscaled).toBe(isUnscaled ? true : undefined);
  });
});

describe('a shortened component code', () => {
  const atom = (name: string, number: number) =>
    `HETATM${String(number).padStart(5)}  ${name.padEnd(3)} ~LU A 101      10.000  10.000  10.000  1.00 20.00           C`;
  const atoms = [atom('C1', 1), atom('C2', 2), 'END', ''];

  it('is the one that HETNAM gives in full', async () => {
    const hetnam = `HETNAM     ~LU${' '.repeat(57)}A1LU6    `;
    const { model, notes } = await bench.factsOf('m.pdb', [hetnam, ...atoms].join('\n'));
    expect(model?.ligandCodes).toEqual(['A1LU6']);
    expect(notes).toBeUndefined();
  });

  it.each([
    ['without HETNAM', []],
    ['with a HETNAM that names the compound alone', ['HETNAM     ~LU SOME COMPOUND']],
    ['with the HETNAM of another one', [`HETNAM     ~LV${' '.repeat(57)}A1LV6    `]],
  ])('stays as it is, and a note says so, %s', async (_, records) => {
    const { model, notes } = await bench.factsOf('m.pdb', [...records, ...atoms].join('\n'));
    expect(model?.ligandCodes).toEqual(['~LU']);
    expect(notes).toEqual([expect.stringMatching(/not given in full by HETNAM.*: ~LU\. Which components they are/)]);
  });
});
