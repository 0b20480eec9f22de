import type { StrategyValue } from '@fleet/contracts/schema';
import type { SessionFile } from '@fleet/contracts/sessions';
import {
  aCatalogue,
  aCycle,
  aDecision,
  aRequest,
  aResult,
  aSession,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  projectRules,
  sequenceFile,
} from '@fleet/testing';
import { describeSession } from '@fleet/workflow';
import { buildCommand } from './build-command';
import type { BuiltCommand, CommandResult } from './command-types';

const ruleBook = projectRules();

interface Run {
  readonly program: string;
  readonly metrics?: Readonly<Record<string, number | string | boolean>>;
  readonly outputs?: readonly SessionFile[];
  readonly inputs?: readonly { readonly slot: string; readonly path: string }[];
}

/** Builds the command of a program for a session with these files, after these successful runs. */
const build = (
  program: string,
  inputs: readonly SessionFile[],
  runs: readonly Run[] = [],
  strategy: Readonly<Record<string, StrategyValue>> = {},
): CommandResult => {
  const xray = inputs.some(({ facts }) => facts.format === 'mtz');
  const cycles = runs.map((run, index) =>
    aCycle({
      cycle: index + 1,
      decision: aDecision({
        program: `phenix.${run.program}`,
        inputs: run.inputs ?? [],
        experimentType: xray ? 'xray' : 'cryoem',
      }),
      result: aResult({
        metrics: run.metrics ?? {},
        outputs: (run.outputs ?? []).map((file) => ({ ...file, cycle: index + 1, program: `phenix.${run.program}` })),
      }),
    }),
  );
  const session = aSession({ request: aRequest({ inputs, ligands: [{ smiles: 'CCO', id: 'LIG' }] }), cycles });
  const { files, facts } = describeSession({ session, ruleBook, catalogue: aCatalogue() });
  return buildCommand({ program: ruleBook.programs[`phenix.${program}`]!, files, facts, strategy });
};

const built = (result: CommandResult): BuiltCommand => {
  if (!result.built) throw new Error(result.why);
  return result.command;
};
const argv = (result: CommandResult): readonly string[] => built(result).argv;

const prediction = modelFile('/data/AF-P12345.pdb', { predicted: true });
const full = mapFile('/data/full_map.ccp4');
const halves = [mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4')];
const xtriage: Run = { program: 'xtriage', metrics: { resolution: 1.6, no_twinning_suspected: true } };
const mtriage: Run = { program: 'mtriage', metrics: { resolution: 2.987 } };
const phaser: Run = { program: 'phaser', outputs: [modelFile('/w/PHASER.1.pdb')] };
const refine: Run = {
  program: 'refine',
  metrics: { r_free: 0.29, r_work: 0.26 },
  outputs: [
    modelFile('/w/refine_001_001.pdb'),
    dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, '/w/refine_001_001.mtz'),
    dataFile({}, '/w/refine_001_data.mtz'),
  ],
};
const ligandfit: Run = {
  program: 'ligandfit',
  inputs: [{ slot: 'ligand', path: '/data/NUT.cif' }],
  outputs: [modelFile('/w/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })],
};
const pdbtools: Run = {
  program: 'pdbtools',
  inputs: [{ slot: 'protein', path: '/w/refine_001_001.pdb' }],
  outputs: [modelFile('/w/refine_001_001_with_ligand.pdb', { ligandCodes: ['NUT'] })],
};

describe('golden commands', () => {
  const xray = [dataFile(), modelFile(), sequenceFile(), dictionaryFile('NUT')];
  const table: readonly [string, readonly SessionFile[], readonly Run[], readonly string[]][] = [
    ['xtriage', xray, [], ['/data/data.mtz', 'scaling.input.asu_contents.sequence_file=/data/seq.fasta']],
    ['model_vs_data', xray, [xtriage], ['/data/model.pdb', '/data/data.mtz']],
    ['phaser', xray, [xtriage], ['/data/data.mtz', '/data/model.pdb', '/data/seq.fasta', 'phaser.mode=MR_AUTO']],
    ['process_predicted_model', [dataFile(), prediction], [xtriage], ['/data/AF-P12345.pdb']],
    ['refine', xray, [xtriage], ['/data/model.pdb', '/data/data.mtz', 'output.prefix=refine_001']],
    ['refine', xray, [xtriage, phaser], ['/w/PHASER.1.pdb', '/data/data.mtz', 'output.prefix=refine_001']],
    [
      'refine',
      xray,
      [xtriage, refine, ligandfit, pdbtools],
      [
        '/w/refine_001_001_with_ligand.pdb',
        '/w/refine_001_data.mtz',
        '/data/NUT.cif',
        'output.prefix=refine_002',
        'ordered_solvent=True',
      ],
    ],
    ['elbow', [dataFile(), modelFile()], [xtriage, refine], ['--smiles=LIG.smi', '--id=LIG', '--output=LIG']],
    [
      'ligandfit',
      xray,
      [xtriage, refine],
      ['model=/w/refine_001_001.pdb', 'data=/w/refine_001_001.mtz', 'ligand=/data/NUT.cif'],
    ],
    [
      'pdbtools',
      xray,
      [xtriage, refine, ligandfit],
      ['/w/refine_001_001.pdb', '/w/ligand_fit_1.pdb', 'output.file_name=refine_001_001_with_ligand.pdb'],
    ],
    [
      'polder',
      xray,
      [xtriage, refine, ligandfit, pdbtools],
      ['/w/refine_001_data.mtz', '/w/refine_001_001_with_ligand.pdb', '/data/NUT.cif', 'selection="resname NUT"'],
    ],
    [
      'polder',
      xray,
      [xtriage, refine],
      ['/w/refine_001_data.mtz', '/w/refine_001_001.pdb', 'selection="hetero and not water"'],
    ],
    ['molprobity', xray, [xtriage, refine], ['/w/refine_001_001.pdb']],
    [
      'mtriage',
      [full, ...halves],
      [],
      ['half_map=/data/half_map_1.ccp4', 'half_map=/data/half_map_2.ccp4', 'full_map=/data/full_map.ccp4'],
    ],
    ['mtriage', [full], [], ['full_map=/data/full_map.ccp4']],
    ['map_symmetry', [full, ...halves], [mtriage], ['/data/full_map.ccp4', 'resolution=2.99']],
    [
      'map_correlations',
      [full, modelFile()],
      [mtriage],
      [
        'input_files.model=/data/model.pdb',
        'input_files.map_in_1=/data/full_map.ccp4',
        'ignore_symmetry_conflicts=True',
        'resolution=2.99',
      ],
    ],
    [
      'dock_in_map',
      [full, modelFile(), sequenceFile()],
      [mtriage],
      ['/data/model.pdb', '/data/full_map.ccp4', '/data/seq.fasta', 'resolution=2.99'],
    ],
    [
      'real_space_refine',
      [full, modelFile()],
      [mtriage],
      [
        '/data/model.pdb',
        '/data/full_map.ccp4',
        'skip_map_model_overlap_check=True',
        'output.prefix=rsr_001',
        'resolution=2.99',
      ],
    ],
    [
      'validation_cryoem',
      [full, modelFile()],
      [mtriage],
      ['/data/model.pdb', '/data/full_map.ccp4', 'resolution=2.99'],
    ],
    ['map_sharpening', [...halves], [mtriage], ['/data/half_map_1.ccp4', '/data/half_map_2.ccp4']],
    ['map_sharpening', [full], [mtriage], ['/data/full_map.ccp4', 'resolution=2.99', 'sharpening_method=b-factor']],
    [
      'resolve_cryo_em',
      [...halves, sequenceFile()],
      [mtriage],
      ['/data/half_map_1.ccp4', '/data/half_map_2.ccp4', 'seq_file=/data/seq.fasta', 'resolution=2.99'],
    ],
    [
      'map_to_model',
      [full, sequenceFile()],
      [mtriage],
      ['/data/full_map.ccp4', 'seq_file=/data/seq.fasta', 'nproc=4', 'resolution=2.99'],
    ],
    [
      'predict_and_build',
      [dataFile(), sequenceFile()],
      [xtriage],
      [
        'input_files.seq_file=/data/seq.fasta',
        'input_files.xray_data_file=/data/data.mtz',
        'control.nproc=4',
        'crystal_info.resolution=1.6',
      ],
    ],
    [
      'predict_and_build',
      [sequenceFile()],
      [],
      ['input_files.seq_file=/data/seq.fasta', 'control.nproc=4', 'predict_and_build.stop_after_predict=True'],
    ],
    [
      'autosol',
      [dataFile(), sequenceFile()],
      [xtriage],
      ['autosol.data=/data/data.mtz', 'seq_file=/data/seq.fasta', 'nproc=4'],
    ],
    [
      'autobuild',
      xray,
      [xtriage, refine],
      ['data=/w/refine_001_data.mtz', 'seq_file=/data/seq.fasta', 'model=/w/refine_001_001.pdb', 'nproc=4'],
    ],
    ['holton_geometry_validation', xray, [xtriage, refine], ['/w/refine_001_001.pdb']],
  ];
  it.each(table)('phenix.%s', (program, inputs, runs, expected) => {
    expect(argv(build(program, inputs, runs))).toEqual([`phenix.${program}`, ...expected]);
  });

  it('runs density modification under the name of its executable', () => {
    expect(argv(build('autobuild_denmod', xray, [xtriage, refine]))).toEqual([
      'phenix.autobuild',
      'data=/w/refine_001_data.mtz',
      'seq_file=/data/seq.fasta',
      'model=/w/refine_001_001.pdb',
      'maps_only=True',
    ]);
  });

  it('covers every program that the knowledge describes', () => {
    const covered = new Set([...table.map(([program]) => `phenix.${program}`), 'phenix.autobuild_denmod']);
    expect(Object.keys(ruleBook.programs).filter((program) => !covered.has(program))).toEqual([]);
  });
});

describe('buildCommand', () => {
  it('reports the source of every token', () => {
    const { tokens } = built(build('phaser', [dataFile(), modelFile()], [xtriage], { component_copies: 2 }));
    expect(tokens.map(({ source }) => source)).toEqual(['program', 'slot', 'slot', 'default', 'strategy']);
    expect(tokens[1]?.detail).toBe('data: its R-free flags are locked for the session');
  });

  it('omits unknown keys, and reports them', () => {
    const command = built(build('refine', [dataFile(), modelFile()], [], { colour: 'blue', cycles: 'many', nproc: 2 }));
    expect(command.rejected).toEqual([
      { key: 'colour', why: 'phenix.refine has no such parameter' },
      { key: 'cycles', why: 'must be a whole number from 0 to 100' },
    ]);
    expect(command.argv).toContain('refinement.main.nproc=2');
    expect(command.argv.join(' ')).not.toContain('blue');
  });

  it.each([
    ['newline', 'h,-k,-l\noutput.overwrite=True'],
    ['nothing', ''],
  ])('refuses a value with %s', (_name, value) => {
    expect(built(build('refine', [dataFile(), modelFile()], [], { twin_law: value })).rejected).toHaveLength(1);
  });

  it('keeps a path or a value with blanks and quotes in one token', () => {
    const odd = dataFile({}, "/data/my data $(rm) 'x'.mtz");
    expect(argv(build('refine', [odd, modelFile()]))).toContain(odd.path);
    expect(argv(build('polder', [dataFile(), modelFile()], [], { selection: 'chain "A" and resseq 5' }))).toContain(
      `selection='chain "A" and resseq 5'`,
    );
    const map = mapFile('/data/full map.ccp4');
    expect(argv(build('mtriage', [map]))).toContain('full_map="/data/full map.ccp4"');
  });

  it('names the array if the data contain several', () => {
    const data = dataFile({
      observations: [
        { labels: 'I(+),SIGI(+),I(-),SIGI(-)', kind: 'intensity', anomalous: true },
        { labels: 'IMEAN,SIGIMEAN', kind: 'intensity', anomalous: false },
        { labels: 'FP,SIGFP', kind: 'amplitude', anomalous: false },
      ],
    });
    expect(argv(build('xtriage', [data]))).toContain('scaling.input.xray_data.obs_labels=I(+),SIGI(+),I(-),SIGI(-)');
    expect(argv(build('refine', [data, modelFile()]))).toContain('data_manager.miller_array.labels.name=FP,SIGFP');
    expect(argv(build('model_vs_data', [data, modelFile()]))).toContain('f_obs_label=FP,SIGFP');
  });

  it('uses the data with the locked free flags even if others are newer or better', () => {
    const later = { ...refine, outputs: [modelFile('/w/refine_002_001.pdb'), dataFile({}, '/w/refine_002_data.mtz')] };
    const command = argv(build('refine', [dataFile(), modelFile()], [refine, later]));
    expect(command).toContain('/w/refine_001_data.mtz');
    expect(command.join(' ')).not.toContain('refine_002_data');
  });

  it('never fits a ligand against observations', () => {
    const why = 'phenix.ligandfit: no file for its input "map_coeffs_mtz"';
    expect(build('ligandfit', [dataFile(), modelFile(), dictionaryFile('NUT')])).toEqual({ built: false, why });
  });

  it('never refines a fitted ligand alone', () => {
    const built = build('refine', [dataFile(), modelFile(), dictionaryFile('NUT')], [refine, ligandfit]);
    expect(argv(built)).toContain('/w/refine_001_001.pdb');
  });

  it('needs both half maps, or a full map', () => {
    expect(build('mtriage', [dataFile(), modelFile()])).toMatchObject({ built: false });
    expect(argv(build('mtriage', [halves[0]!]))).toEqual(['phenix.mtriage', 'full_map=/data/half_map_1.ccp4']);
  });
});
