import { mtzBytes } from '@fleet/testing';

/** A file that was made to hold up its reader. */
export interface NastyFile {
  /** The name it is given: readers look at the ending. */
  readonly name: string;
  /** About `size` bytes of it. */
  readonly make: (size: number) => Buffer;
}

/** `part`, over and over, between `head` and `tail`. */
const filled = (name: string, head: string, part: string, tail = ''): NastyFile => ({
  name,
  make: (size) => Buffer.from(head + part.repeat(Math.ceil(size / part.length)) + tail, 'latin1'),
});

const numbered = (name: string, head: string, part: (index: number) => string): NastyFile => ({
  name,
  make: (size) => {
    const parts = [head];
    for (let length = 0, index = 0; length < size; index += 1) {
      const next = part(index);
      parts.push(next);
      length += next.length;
    }
    return Buffer.from(parts.join(''), 'latin1');
  },
});

const records = (keyword: string): NastyFile => ({
  name: 'records.mtz',
  make: (size) => {
    const lines = Array.from({ length: size / 80 }, (_, index) => `${keyword} ${index} 'P`.padEnd(80));
    const file = mtzBytes({ columns: [['F', 'F']], records: { SYMINF: 'SYMINF 4' } });
    return Buffer.concat([file.subarray(0, -80), Buffer.from(lines.join('')), file.subarray(-80)]);
  },
});

const atomSites =
  'data_x\nloop_\n_atom_site.group_PDB\n_atom_site.auth_comp_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n';
const atom = (index: number, residue: string, chain: string): string =>
  `HETATM${String(index % 100_000).padStart(5)}  C   ${residue} ${chain}${String(index % 10_000).padStart(4)}      10.000  10.000  10.000  1.00 10.00\n`;
const scalepack = '    1\n -987\n';

/** The worst shapes that are known for each format, the ones that held a reader for minutes first. */
export const nastyFiles: Readonly<Record<string, NastyFile>> = {
  'scalepack: digits without an end': filled('x.sca', `${scalepack} `, '1'),
  'scalepack: a hundred digits': { name: 'x.sca', make: () => Buffer.from(`${scalepack}${'1'.repeat(100)}!\n`) },
  'scalepack: spaces': filled('x.sca', `${scalepack}1`, ' ', '!'),
  'scalepack: operators': filled('x.sca', ' 4 p21\n', '0 1', '!\n'),
  'cif: quotes that do not end, on one line': filled('x.cif', atomSites, "'a "),
  'cif: quotes that do not end, on many lines': filled('x.cif', atomSites, `${`'a "b `.repeat(5_000)}\n`),
  'cif: quotes within quotes': filled('x.cif', atomSites, `${"'a'b".repeat(10_000)}\n`),
  'cif: spaces': filled('x.cif', atomSites, `${' '.repeat(50_000)}\n`),
  'cif: data names of one loop': numbered('x.cif', 'data_x\nloop_\n', (index) => `_atom_site.name_${index}\n`),
  'cif: a wide loop with rows': filled(
    'x.cif',
    `data_x\nloop_\n${Array.from({ length: 990 }, (_, index) => `_atom_site.n${index}\n`).join('')}`,
    `${'a '.repeat(1_000)}\n`,
  ),
  'cif: loops without rows': filled('x.cif', 'data_x\n', 'loop_\n_atom_site.id\n_atom_site.x\n'),
  'cif: rows of one value': filled('x.cif', atomSites, 'a\n'),
  'cif: residues': numbered('x.cif', atomSites, (index) => `ATOM R${index % 900} C${index % 1_900} ${index}\n`),
  'cif: chains': numbered('x.cif', atomSites, (index) => `ATOM ALA C${index} 1\n`),
  'cif: ligands': numbered(
    'x.cif',
    `${atomSites.trim()}\n_atom_site.auth_atom_id\n`,
    (index) => `HETATM L${index} A ${index} C1\nHETATM L${index} A ${index} C2\n`,
  ),
  'cif: cells': numbered('x.cif', 'data_x\n', (index) => `_cell.name_${index} 1\n`),
  'cif: reflections': filled('x.cif', 'data_x\nloop_\n_refln.index_h\n_refln.index_k\n', '1 2\n'),
  'cif: components': numbered(
    'x.cif',
    'data_comp_list\n',
    (index) => `data_comp_${index}\n_chem_comp_atom.atom_id C\n`,
  ),
  'cif: listed components': numbered('x.cif', 'data_x\nloop_\n_chem_comp.id\n', (index) => `L${index}\n`),
  'cif: text': filled('x.cif', 'data_x\n', ';\n'),
  'cif: titles': filled('x.cif', 'data_x\n', `_struct.title '${'alphafol boltchai '.repeat(2_000)}'\n`),
  'cif: carriage returns': filled('x.cif', 'data_x\n', '\r'),
  'mtz: symmetry records': records('SYMINF'),
  'mtz: columns': records('COLUMN F F 0 1'),
  'mtz: batches': records('BATCH'),
  'pdb: residues': numbered('x.pdb', '', (index) => atom(index, 'ALA', String.fromCharCode(65 + (index % 26)))),
  'pdb: ligands': numbered('x.pdb', '', (index) => atom(index, index.toString(36).padStart(3, 'X').slice(-3), 'A')),
  'pdb: experiments': filled('x.pdb', '', `EXPDTA    ${'DIFFRACTIO MICROSCOP '.repeat(3_000)}\n`),
  'pdb: remarks': filled('x.pdb', '', `REMARK   3 ${'REFINEMEN R VALU '.repeat(4_000)}\n`),
  'pdb: one line': filled('x.pdb', 'REMARK   3 ', 'R VALU '),
  'sequence: chains': filled('x.fa', '', '>\nA\n'),
  'sequence: residues': filled('x.fa', '>A\n', 'MKT-AYI*\n'),
  'sequence: one line': filled('x.fa', '>A\n', 'M'),
  'sequence: spaces': filled('x.seq', 'M', ' '),
  'sequence: blank lines': filled('x.seq', 'M\n', 'M\n\n'),
  'text: blank lines': filled('x', '', '\n'),
  'text: spaces': filled('x', '', ' '),
  'text: carriage returns': filled('x', '', '\r'),
};
