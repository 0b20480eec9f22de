import { limits } from './limits';
import { modelText } from './model-text';

const atom = (serial: number, x: number, name = ' CA '): string =>
  `ATOM  ${String(serial).padStart(5)} ${name} GLY A${String(serial).padStart(4)}    ${x.toFixed(3).padStart(8)}   1.000   2.000  1.00 20.00           C`;

const cif = (rows: readonly string[]): string =>
  [
    "data_x\n_struct.title '<script>alert(1)</script>'\nloop_",
    ...['group_PDB', 'id', 'type_symbol', 'label_atom_id', 'label_alt_id', 'label_comp_id', 'label_asym_id'],
    ...['label_seq_id', 'Cartn_x', 'Cartn_y', 'Cartn_z', 'occupancy', 'B_iso_or_equiv', 'auth_seq_id'],
    ...['auth_asym_id', 'pdbx_PDB_model_num'],
  ]
    .map((name, at) => (at === 0 ? name : `_atom_site.${name}`))
    .concat(rows, '#')
    .join('\n');

describe('the lines of a model that are drawn', () => {
  it('are those of the atoms of the first model: what headers say is not read', () => {
    const hostile = 'TITLE     <img src=x onerror="alert(1)">\nREMARK  3 <script>\nCRYST1    0.000';
    const text = `${hostile}\r\nMODEL 1\n${atom(1, 3)}\r\nTER\nENDMDL\nMODEL 2\n${atom(2, 4)}\nENDMDL\n`;
    const lines = modelText(text, 'pdb').split('\n');
    expect(lines.map((line) => line.trim())).toEqual([atom(1, 3), 'TER']);
    expect(lines.every((line) => line.length === 80)).toBe(true);
  });

  it('come out of mmCIF too', () => {
    const rows = [
      'ATOM 1 N N . GLN Axp 2 -33.306 16.136 -16.125 1 27.14 18 A 1',
      `HETATM 2 C "C1'" . NUT Bxp . 1.5 2.5 -3.5 0.5 20 1 B 1`,
      'ATOM 3 N N . GLN Axp 2 -33.306 16.136 -16.125 1 27.14 18 A 2',
    ];
    expect(
      modelText(cif(rows), 'mmcif-model')
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual([
      'ATOM      1  N   GLN A  18     -33.306  16.136 -16.125  1.00 27.14           N',
      "HETATM    2  C1' NUT B   1       1.500   2.500  -3.500  0.50 20.00           C",
    ]);
  });

  it.each([
    ['no atoms', 'REMARK nothing\n', 'contains no readable atoms'],
    ['a place that is not a number', atom(1, 3).replace('   3.000', '     abc'), 'is damaged'],
    [
      'atoms that lie worlds apart',
      [0, 9000]
        .map((x) => atom(1, x))
        .join('\n')
        .replace('   1.000', '9999.000')
        .replace('   2.000', '9999.000'),
      'too far apart',
    ],
  ])('are refused with %s', (_, text, says) => {
    expect(() => modelText(text, 'pdb')).toThrow(says);
  });

  it('are refused where there are too many', () => {
    const text = `${atom(1, 3)}\n`.repeat(limits.atoms + 1);
    expect(() => modelText(text, 'pdb')).toThrow('100,001 atoms. At most 100,000 are drawn');
  });
});
