import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aSession, mapBytes, mtzBytes } from '@fleet/testing';

const atomLine = (record: string, name: string, residue: string, number: number): string =>
  `${record.padEnd(6)}    1  ${name.padEnd(3)} ${residue} A${String(number).padStart(4)}      10.000  10.000  10.000  1.00 20.00           C\n`;

const pdb = [
  'HEADER    HYDROLASE\nTITLE     ALPHAFOLD MODEL\nEXPDTA    X-RAY DIFFRACTION\n',
  'CRYST1   50.000   60.000   70.000  90.00  90.00  90.00 P 21 21 21    4\nMODEL        1\n',
  ...['N', 'CA', 'C', 'O'].map((name) => atomLine('ATOM', name, 'ALA', 1)),
  atomLine('HETATM', 'C1', 'NUT', 200),
  atomLine('HETATM', 'C2', 'NUT', 200),
  'ENDMDL\nEND\n',
].join('');

const model = `data_x
_cell.length_a 50
_cell.length_b 60
_cell.length_c 70
_cell.angle_alpha 90
_cell.angle_beta 90
_cell.angle_gamma 90
_symmetry.space_group_name_H-M 'P 21 21 21'
_struct.title
;a title
;
loop_
_chem_comp.id
ALA
loop_
_atom_site.group_PDB
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.pdbx_PDB_model_num
_atom_site.B_iso_or_equiv
ATOM N ALA A 1 1 10
ATOM CA ALA A 1 1 11
ATOM C ALA A 1 1 12
HETATM "C1'" 'NUT' A 2 1 12
#
`;

const reflections =
  'data_r1abcsf\n_cell.length_a 50\nloop_\n_refln.index_h\n_refln.index_k\n_refln.F_meas_au\n1 0 10.5\n2 0 ?\n';
const restraints =
  "data_comp_list\nloop_\n_chem_comp.id\n_chem_comp.name\nNUT 'nutlin 3'\ndata_comp_NUT\nloop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\nNUT C1\n";
const scalepack =
  '    1\n -987\n    64.897    78.323    38.792    90.000    90.000    90.000 p212121\n   1   0   0  10.0   1.0\n';
const unmerged = ' 4 p212121\n  1  0  0  0  1  0  0  0  1\n  0  0  0\n   1   0   0  10.0   1.0\n';

const mtz = mtzBytes({
  columns: [
    ['H', 'H'],
    ['FREE', 'I', 0, 19],
    ['F', 'F'],
    ['SIGF', 'Q'],
    ['FWT', 'F'],
    ['PHWT', 'P'],
  ],
});

const manifest = {
  files: ['/data/x.mtz', '/data/x.pdb'],
  title: 'a title',
  advice: 'build a ligand',
  proposal: 'mx1',
  settings: { max_cycles: 5, experiment_type: 'xray', program_settings: { 'phenix.refine': { nproc: 2 } } },
  directives: {
    program_settings: { 'phenix.refine': { resolution: 2.5 }, default: { nproc: 4 } },
    stop_conditions: { after_program: 'phenix.refine', after_cycle: 4, skip_validation: true },
    workflow_preferences: { skip_programs: ['phenix.autobuild'], use_experimental_phasing: true },
    constraints: ['keep the waters'],
  },
};

const request = {
  api_version: '2.0',
  files: ['/d/data.mtz', '/d/seq.fa', '/d/PHASER.1.pdb'],
  cycle_number: 3,
  log_content: 'Final R-work = 0.2500, R-free = 0.2800\n',
  user_advice: 'refine',
  history: [
    {
      cycle: 1,
      program: 'phenix.xtriage',
      command: 'phenix.xtriage /d/data.mtz',
      result: 'SUCCESS',
      analysis: { resolution: 2 },
    },
    {
      cycle: 2,
      program: 'phenix.phaser',
      command: 'phenix.phaser /d/data.mtz',
      result: 'SUCCESS',
      output_files: ['/d/PHASER.1.pdb'],
    },
  ],
  session_state: { rfree_mtz: '/d/locked.mtz', best_files: { model: '/d/PHASER.1.pdb' } },
};

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, undefined, 1));

export type TargetName =
  'mtz' | 'map' | 'cif' | 'pdb' | 'scalepack' | 'sequence' | 'log' | 'knowledge' | 'session' | 'submission' | 'request';

interface Sample {
  /** Name of the file, where it is one. */
  readonly name: string;
  readonly samples: readonly Buffer[];
}

/** What each reader is given to begin with: small files that are right. */
export const samplesOf = (root: string): Readonly<Record<TargetName, Sample>> => ({
  mtz: {
    name: 'x.mtz',
    samples: [
      mtz,
      mtzBytes({
        columns: [
          ['I', 'J'],
          ['SIGI', 'Q'],
        ],
        bigEndian: true,
      }),
    ],
  },
  map: { name: 'x.ccp4', samples: [mapBytes({ size: [4, 4, 4] }), mapBytes({ size: [2, 3, 4], bigEndian: true })] },
  cif: { name: 'x.cif', samples: [model, reflections, restraints].map((text) => Buffer.from(text)) },
  pdb: { name: 'x.pdb', samples: [Buffer.from(pdb)] },
  scalepack: { name: 'x.sca', samples: [scalepack, unmerged].map((text) => Buffer.from(text)) },
  sequence: {
    name: 'x.seq',
    samples: ['>A\nMKT\nAYI\n>B\nGGG\n', '>P1;X\ntitle of it\nMKTAYI*\n', 'MKTAYIAKQR\nGGG\n\nAAAA\n'].map((text) =>
      Buffer.from(text),
    ),
  },
  log: {
    name: 'phenix.refine',
    samples: [
      Buffer.from('Start R-work = 0.3000, R-free = 0.3300\nFinal R-work = 0.2500, R-free = 0.2800\nSorry: no array\n'),
    ],
  },
  knowledge: {
    name: 'knowledge',
    samples: [
      'programs/refine.yaml',
      'programs/phaser.yaml',
      'workflows/xray.yaml',
      'metrics.yaml',
      'file_categories.yaml',
    ].map((path) => Buffer.concat([Buffer.from(`${path}\n`), readFileSync(join(root, 'knowledge', path))])),
  },
  session: { name: 'session.json', samples: [json({ schemaVersion: 1, session: aSession() })] },
  submission: { name: 'submission', samples: [json(manifest)] },
  request: { name: 'request', samples: [json(request)] },
});
