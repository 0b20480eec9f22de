import { FileBench } from './fixtures/file-bench';

const bench = new FileBench();

afterAll(() => bench.remove());

const atom = (name: string, residue: string, number: number, b: number, record = 'ATOM'): string =>
  `${record.padEnd(6)}    1  ${name.padEnd(3)} ${residue.padStart(3)} A${String(number).padStart(4)}      10.000  10.000  10.000  1.00${b.toFixed(2).padStart(6)}           C`;

const residue = (name: string, number: number, b: (index: number) => number): string =>
  ['N', 'CA', 'C', 'O'].map((atomName, index) => atom(atomName, name, number, b(index))).join('\n');

const chain = (length: number, b: (residueNumber: number, index: number) => number): string =>
  Array.from({ length }, (_, i) => residue('ALA', i + 1, (index) => b(i + 1, index))).join('\n');

const crystal = 'CRYST1   50.000   60.000   70.000  90.00  90.00  90.00 P 21 21 21    4\n';

describe('a PDB file', () => {
  it('reports the share of DNA or RNA in its polymer', async () => {
    const base = (name: string, number: number) =>
      ['P', "C1'", "C3'"].map((atomName) => atom(atomName, name, number, 20)).join('\n');
    const text = [crystal.trim(), chain(2, () => 20), base('G', 11), base('U', 12), base('DT', 13)].join('\n');
    const { model } = await bench.factsOf('m.pdb', text);
    expect(model).toMatchObject({ polymerResidues: 5, nucleicResidues: 3 });
  });

  it('is counted: residues, waters, ligands; single-atom ions are not ligands', async () => {
    const text = [
      crystal.trim(),
      chain(3, (_, index) => 10 + index),
      atom('C1', 'NUT', 200, 20, 'HETATM'),
      atom('C2', 'NUT', 200, 20, 'HETATM'),
      atom('ZN', 'ZN', 201, 20, 'HETATM'),
      atom('S', 'SO4', 202, 20, 'HETATM'),
      atom('O1', 'SO4', 202, 20, 'HETATM'),
      atom('O', 'HOH', 300, 30, 'HETATM'),
      atom('O', 'HOH', 301, 30, 'HETATM'),
    ].join('\n');
    expect(await bench.factsOf('m.pdb', text)).toEqual({
      format: 'pdb',
      cell: [50, 60, 70, 90, 90, 90],
      spaceGroup: 'P 21 21 21',
      model: {
        atoms: 19,
        chains: ['A'],
        polymerResidues: 3,
        waters: 2,
        ligandCodes: ['NUT'],
        predicted: false,
        meanB: expect.closeTo(15.68, 2) as number,
        sequences: ['AAA'],
      },
    });
  });

  it('lists non-standard residues of its chains, which are not ligands', async () => {
    const text = [chain(3, () => 10), residue('SEP', 4, () => 10), residue('MSE', 5, () => 10)].join('\n');
    expect((await bench.factsOf('m.pdb', text)).model).toMatchObject({ modifiedResidues: ['SEP'], ligandCodes: [] });
  });

  it('counts the first of several models, with a note', async () => {
    const one = chain(5, () => 10);
    const text = `MODEL        1\n${one}\nENDMDL\nMODEL        2\n${one}\nENDMDL\n`;
    const { model, notes } = await bench.factsOf('nmr.pdb', text);
    expect([model?.polymerResidues, notes]).toEqual([5, [expect.stringContaining('It holds 2 models')]]);
  });

  it.each([
    ['pLDDT in the B column', chain(20, (n) => 50 + n), true],
    ['pLDDT as a fraction', chain(20, (n) => 0.5 + n / 100), true],
    ['a title that says so', `TITLE     ALPHAFOLD MONOMER V2.0 PREDICTION FOR X\n${chain(20, (_, i) => 10 + i)}`, true],
    [
      'a cell, and the name that Phaser gave its ensemble',
      `${crystal}REMARK ENSEMBLE alphafold EULER 1 2 3\n${chain(20, (_, i) => 10 + i)}`,
      false,
    ],
    ['a cell, a title that says so and pLDDT', `TITLE     ALPHAFOLD\n${crystal}${chain(20, (n) => 50 + n)}`, true],
    ['B values that differ within residues', chain(20, (n, i) => 50 + n + i), false],
    ['one B for all', chain(20, () => 20), false],
    ['grouped B values of a crystal', crystal + chain(20, (n) => 50 + n), false],
    ['B values of a trimmed domain, one for each residue', chain(40, (n) => 15 + (n % 7)), false],
    ['high B values that rise towards the ends', chain(30, (n) => 55 + 2 * Math.abs(n - 15)), false],
    ['B values above 100', chain(60, (n) => 50 + n), false],
    ['waters', `${chain(20, (n) => 50 + n)}\n${atom('O', 'HOH', 300, 30, 'HETATM')}`, false],
    [
      'an experiment, though its title names the predictor',
      `TITLE     SOLVED WITH ALPHAFOLD\nEXPDTA    X-RAY DIFFRACTION\n${chain(20, (n) => 50 + n)}`,
      false,
    ],
  ])('with %s: predicted %s', async (_, text, predicted) => {
    expect((await bench.factsOf('x.pdb', text)).model?.predicted).toBe(predicted);
  });

  it('is not confused with a log that quotes atoms', async () => {
    const log = `Starting\nSelecting atoms...\n${'text\n'.repeat(30)}${atom('C1', 'NUT', 1, 10, 'HETATM')}\nDone\n`;
    expect((await bench.factsOf('polder.log', log)).format).toBe('text');
  });
});

describe('a CIF file', () => {
  const atoms = `data_x
_cell.length_a 50
_cell.length_b 60
_cell.length_c 70
_cell.angle_alpha 90
_cell.angle_beta 90
_cell.angle_gamma 90
_symmetry.space_group_name_H-M 'P 21 21 21'
loop_
_chem_comp.id
ALA
loop_
_atom_site.group_PDB
_atom_site.id
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_alt_id
_atom_site.label_comp_id
_atom_site.auth_asym_id
_atom_site.label_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.occupancy
_atom_site.B_iso_or_equiv
ATOM 1 N N . ALA A A 1 1 2 3 1 10
ATOM 2 C CA . ALA A A 1 2 2 3 1 11
# a comment is not an end
ATOM 3 C C . ALA A A 1 3 2 3 1 12
HETATM 4 C "C1'" . 'NUT' A B 2 4 2 3 1 12
HETATM 5 C C2 . NUT A B 2 5 2 3 1 12
#
`;

  it('with atom sites is a model', async () => {
    expect(await bench.factsOf('m.cif', atoms)).toMatchObject({
      format: 'mmcif-model',
      cell: [50, 60, 70, 90, 90, 90],
      spaceGroup: 'P 21 21 21',
      model: { atoms: 5, polymerResidues: 1, ligandCodes: ['NUT'], chains: ['A'] },
    });
  });

  it('with a component of atoms is a dictionary of restraints', async () => {
    const text =
      'data_comp_list\nloop_\n_chem_comp.id\n_chem_comp.name\nNUT nutlin\ndata_comp_NUT\nloop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\nNUT C1\n';
    expect(await bench.factsOf('refine_model.cif', text)).toEqual({
      format: 'restraints',
      restraints: { codes: ['NUT'] },
    });
  });

  it('with atoms and reflections is a model, with a note', async () => {
    const reflections = 'data_sf\nloop_\n_refln.index_h\n_refln.index_k\n_refln.index_l\n1 2 3\n';
    const { format, notes } = await bench.factsOf('m.cif', `${atoms}${reflections}`);
    expect([format, notes]).toEqual(['mmcif-model', [expect.stringContaining('Its reflections are not used')]]);
  });

  it('after a global block of CCP4 is read as well', async () => {
    const text =
      'global_\n_lib_name mon_lib\ndata_comp_NUT\nloop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\nNUT C1\n';
    expect((await bench.factsOf('x.cif', text)).restraints?.codes).toEqual(['NUT']);
  });

  it('with a component as the PDB describes it, without ideal distances, is not a dictionary of restraints', async () => {
    const tags = ['comp_id', 'atom_id_1', 'atom_id_2', 'value_order'].map((tag) => `_chem_comp_bond.${tag}`).join('\n');
    const text = `data_ATP\n_chem_comp_atom.comp_id ATP\n_chem_comp_atom.atom_id PG\nloop_\n${tags}\nATP PG O1G DOUB\n`;
    expect(await bench.factsOf('ATP.cif', text)).toEqual({
      format: 'text',
      notes: [expect.stringContaining('not a dictionary of restraints')],
    });
  });

  it('with reflections is reflection data', async () => {
    expect(
      (
        await bench.factsOf(
          'r1abc-sf.cif',
          'data_r1abcsf\nloop_\n_refln.index_h\n_refln.index_k\n_refln.index_l\n1 2 3\n',
        )
      ).format,
    ).toBe('mmcif-reflections');
  });

  it('with other content is text', async () => {
    expect((await bench.factsOf('x.cif', 'data_x\n_journal_name_full Acta\n')).format).toBe('text');
  });
});
