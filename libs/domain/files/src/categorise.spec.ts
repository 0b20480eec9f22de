import { readFileSync } from 'node:fs';
import type { FileFacts, SessionFile } from '@fleet/contracts/sessions';
import type { FileCategory } from '@fleet/knowledge-model';
import { modelFile, unflaggedFile } from '@fleet/testing';
import { load } from 'js-yaml';
import { categorise } from './index';

const { categories } = load(readFileSync('knowledge/file_categories.yaml', 'utf8')) as {
  categories: readonly FileCategory[];
};

type Kind = keyof typeof kinds;

const model = (changes: Partial<NonNullable<FileFacts['model']>> = {}): FileFacts =>
  modelFile('/data/model.pdb', changes).facts;

const bare = unflaggedFile({ observations: [] }).facts;
const mtz = (changes: Partial<NonNullable<FileFacts['mtz']>>): FileFacts => ({
  ...bare,
  mtz: { ...bare.mtz!, ...changes },
});

const observed = [{ labels: 'FP,SIGFP', kind: 'amplitude', anomalous: false }] as const;
const density: FileFacts = { format: 'map', map: { grid: [64, 64, 64], mode: 2, voxel: 1 } };

const kinds = {
  protein: model(),
  prediction: model({ predicted: true }),
  ligand: model({ atoms: 30, polymerResidues: 0, ligandCodes: ['NUT'] }),
  sites: model({ atoms: 8, polymerResidues: 0 }),
  restraints: { format: 'restraints', restraints: { codes: ['NUT'] } } as FileFacts,
  data: mtz({ observations: observed }),
  flagged: mtz({ observations: observed, freeFlag: 'FREE' }),
  phased: mtz({ observations: observed, phases: ['PHIB'] }),
  coefficients: mtz({ mapCoefficients: ['FWT,PHWT'] }),
  dataAndMap: mtz({ observations: observed, freeFlag: 'FREE', mapCoefficients: ['FWT,PHWT'] }),
  scalepack: { format: 'scalepack' } as FileFacts,
  map: density,
  sequence: { format: 'sequence', sequence: { chains: 1, residues: 100 } } as FileFacts,
  symmetry: { format: 'ncs-spec' } as FileFacts,
  text: { format: 'text' } as FileFacts,
  picture: { format: 'unknown' } as FileFacts,
};

const file = (name: string, kind: Kind, program?: string): SessionFile => ({
  path: `/data/${name}`,
  size: 10,
  cycle: program === undefined ? 0 : 3,
  ...(program === undefined ? {} : { program }),
  facts: kinds[kind],
});

const reflections = (name: string, changes: Partial<NonNullable<FileFacts['mtz']>>): SessionFile => ({
  ...file(name, 'data'),
  facts: mtz(changes),
});

/** Categories of the first file, in alphabetical order, in the presence of the others. */
const of = (first: SessionFile, ...others: readonly SessionFile[]): readonly string[] =>
  [...categorise([first, ...others], categories)]
    .filter(([, files]) => files.includes(first))
    .map(([name]) => name)
    .sort();

describe('categories of submitted files', () => {
  it.each<[string, Kind, readonly string[]]>([
    ['mymodel.pdb', 'protein', ['model', 'unclassified_pdb']],
    ['refine_001.pdb', 'protein', ['model', 'refined']],
    ['x_real_space_refined_000.pdb', 'protein', ['model', 'rsr_output']],
    ['PHASER.1.pdb', 'protein', ['model', 'phaser_output']],
    ['overall_best.pdb', 'protein', ['autobuild_output', 'model']],
    ['placed_model.pdb', 'protein', ['docked', 'model']],
    ['prot_with_ligand.pdb', 'protein', ['model', 'with_ligand']],
    ['AF-P12345-F1.pdb', 'protein', ['named_prediction', 'predicted', 'search_model']],
    ['predicted_model.pdb', 'protein', ['named_prediction', 'predicted', 'search_model']],
    ['lysozyme-prediction.cif', 'protein', ['named_prediction', 'predicted', 'search_model']],
    ['ranked_0.pdb', 'protein', ['named_prediction', 'predicted', 'search_model']],
    ['predictable.pdb', 'protein', ['model', 'unclassified_pdb']],
    ['anything.pdb', 'prediction', ['predicted', 'search_model']],
    ['x_processed.pdb', 'prediction', ['processed_predicted', 'search_model']],
    ['x_template.pdb', 'protein', ['pdb_template', 'search_model']],
    ['homolog.pdb', 'protein', ['pdb_template', 'search_model']],
    ['lig.pdb', 'ligand', ['ligand', 'ligand_pdb']],
    ['ligand_fit_1.pdb', 'ligand', ['ligand', 'ligand_fit_output']],
    ['NUT.cif', 'restraints', ['ligand', 'ligand_cif']],
    ['data.mtz', 'data', ['data_mtz', 'original_data_mtz']],
    ['data.sca', 'scalepack', ['data_mtz', 'original_data_mtz']],
    ['phased.mtz', 'phased', ['data_mtz', 'experimental_phases_mtz', 'original_data_mtz', 'phased_data_mtz']],
    ['refine_001_001.mtz', 'coefficients', ['map_coeffs_mtz', 'refine_map_coeffs']],
    ['x_denmod.mtz', 'coefficients', ['denmod_map_coeffs', 'map_coeffs_mtz']],
    ['AF_model_remainder.seq', 'sequence', ['intermediate']],
    ['emd_1234.map', 'map', ['full_map', 'judging_map', 'map']],
    ['denmod_map.ccp4', 'map', ['density_modified_map', 'full_map', 'map', 'optimized_full_map']],
    ['seq.fa', 'sequence', ['sequence']],
    ['map.ncs_spec', 'symmetry', ['ncs_spec']],
    ['notes.txt', 'text', []],
    ['photo.png', 'picture', []],
  ])('puts %s (%s) into %j', (name, kind, expected) => {
    expect(of(file(name, kind))).toEqual(expected);
  });
});

describe('masks', () => {
  const mask: SessionFile = { ...file('x', 'map'), facts: { ...density, map: { ...density.map!, mask: true } } };

  it.each(['emd_32377_msk_1.map', 'reconstruction.mrc', 'half_map_1.mrc', 'x_sharpened.mrc'])(
    'detects %s by its values',
    (name) => {
      const one = { ...mask, path: `/data/${name}` };
      expect(of(one, file('half_map_2.mrc', 'map'), file('emd_32377_msk_2.map', 'map'))).toEqual(['mask']);
    },
  );

  it.each(['soft_mask.mrc', 'emd_1_msk_1.map', 'mask.ccp4', 'MASK-2.mrc'])('detects %s by its name', (name) => {
    expect(of(file(name, 'map'))).toEqual(['mask']);
  });

  it.each(['masked_map.mrc', 'unmasked.mrc', 'damask.mrc'])('classifies the density of %s as a map', (name) => {
    expect(of(file(name, 'map'))).toContain('full_map');
  });

  it.each(['model_fofc.ccp4', 'mFo-DFc.map', 'diff_map_1.mrc', 'cryosparc_map_locres.mrc', 'half1_half2_locres.mrc'])(
    'classifies %s as derived from a map or model, beside which a half map is a single one',
    (name) => {
      expect(of(file(name, 'map'))).toEqual(['derived_map']);
      expect(of(file('half_map_1.mrc', 'map'), file(name, 'map'))).toContain('full_map');
    },
  );

  it('keeps half maps whose names contain "mask"', () => {
    expect(of(file('half_1_mask.mrc', 'map'), file('half_2_mask.mrc', 'map'))).toEqual(['half_map', 'map']);
  });
});

describe('reflections', () => {
  it('classifies flags without observations as a test set, not as data', () => {
    expect(of(reflections('freeR.mtz', { freeFlag: 'FREER' }))).toEqual(['free_set_mtz']);
    expect(of(reflections('x.mtz', { freeFlag: 'FREER', observations: observed }))).not.toContain('free_set_mtz');
    expect(of(reflections('x.mtz', { freeFlag: 'FREER', mapCoefficients: ['FWT,PHWT'] }))).toContain('free_set_mtz');
  });

  it('detects unmerged data, and puts merged data before them in either order', () => {
    const merged = file('merged.mtz', 'data');
    const scaled = reflections('scaled.mtz', { observations: observed, unmerged: true });
    const xds: SessionFile = { ...file('XDS_ASCII.HKL', 'text'), facts: { format: 'xds-ascii' } };
    expect(of(scaled)).toContain('unmerged_data');
    expect(of(xds)).toEqual(['data_mtz', 'original_data_mtz', 'unmerged_data']);
    for (const files of [
      [merged, scaled, xds],
      [xds, scaled, merged],
    ])
      expect(categorise(files, categories).get('original_data_mtz')?.[0]).toBe(merged);
  });

  it('does not use unscaled data', () => {
    const anomalous = observed.map((one) => ({ ...one, anomalous: true }));
    const integrated = reflections('integrated.mtz', { observations: anomalous, unmerged: true, unscaled: true });
    expect(of(integrated)).toEqual(['unscaled_data']);
    expect(of({ ...integrated, facts: { ...integrated.facts, format: 'xds-ascii' } })).toEqual(['unscaled_data']);
  });

  it('recognises merged data of XDS', () => {
    const merged = reflections('MERGED.HKL', { observations: observed });
    expect(of({ ...merged, facts: { ...merged.facts, format: 'xds-ascii' } })).not.toContain('unmerged_data');
  });

  it('detects the flags of a CIF like those of an MTZ', () => {
    const cif = reflections('r1xyzsf.ent', { observations: observed, freeFlag: 'status' });
    expect(of({ ...cif, facts: { ...cif.facts, format: 'mmcif-reflections' } })).toContain(
      'submitted_flagged_data_mtz',
    );
  });
});

describe('content overrides names', () => {
  it.each<[string, Kind, readonly string[]]>([
    ['refine_model_coord.cif', 'restraints', ['ligand', 'ligand_cif']],
    ['ligand.pdb', 'protein', ['model', 'unclassified_pdb']],
    ['protein_noligand.pdb', 'protein', ['model', 'unclassified_pdb']],
    ['model.pdb', 'ligand', ['ligand', 'ligand_pdb']],
    ['data.mtz', 'coefficients', ['map_coeffs_mtz']],
    [
      'refine_001_001.mtz',
      'flagged',
      ['data_mtz', 'flagged_data_mtz', 'original_data_mtz', 'submitted_flagged_data_mtz'],
    ],
    ['x.mtz', 'dataAndMap', ['data_mtz', 'flagged_data_mtz', 'original_data_mtz', 'submitted_flagged_data_mtz']],
    ['ligand_sites.pdb', 'sites', []],
  ])('%s with the content of %s is in %j', (name, kind, expected) => {
    expect(of(file(name, kind))).toEqual(expected);
  });
});

describe('the program that made a file overrides its name', () => {
  it.each<[string, Kind, string, readonly string[]]>([
    ['refine_001_001.pdb', 'protein', 'phenix.refine', ['model', 'refined']],
    ['out.pdb', 'protein', 'phenix.dock_in_map', ['docked', 'model']],
    ['dock_in_map_refined.pdb', 'protein', 'phenix.real_space_refine', ['model', 'rsr_output']],
    ['PHASER.1.mtz', 'flagged', 'phenix.phaser', ['data_mtz', 'flagged_data_mtz', 'phased_data_mtz']],
    [
      'refine_001_data.mtz',
      'flagged',
      'phenix.refine',
      ['data_mtz', 'flagged_data_mtz', 'original_data_mtz', 'refinement_data_mtz'],
    ],
    ['refine_001_001.mtz', 'coefficients', 'phenix.refine', ['map_coeffs_mtz', 'refine_map_coeffs']],
    ['a_with_ligand.pdb', 'protein', 'phenix.pdbtools', ['model', 'with_ligand']],
    ['x_processed.pdb', 'prediction', 'phenix.process_predicted_model', ['processed_predicted', 'search_model']],
    [
      'AF_predicted_model_1.pdb',
      'protein',
      'phenix.predict_and_build',
      ['named_prediction', 'predicted', 'search_model'],
    ],
    ['AF_overall_best.pdb', 'protein', 'phenix.predict_and_build', ['model', 'predict_and_build_output']],
    ['x_sharpened.ccp4', 'map', 'phenix.map_sharpening', ['full_map', 'judging_map', 'map', 'optimized_full_map']],
    ['x_polder_map_coeffs.mtz', 'coefficients', 'phenix.polder', ['intermediate']],
    ['mp_maps.mtz', 'coefficients', 'phenix.molprobity', ['intermediate']],
    ['denmod_half_map_1.ccp4', 'map', 'phenix.resolve_cryo_em', ['intermediate']],
    [
      'denmod_map.ccp4',
      'map',
      'phenix.resolve_cryo_em',
      ['density_modified_map', 'full_map', 'map', 'optimized_full_map'],
    ],
    [
      'half_map_sharpened.ccp4',
      'map',
      'phenix.map_sharpening',
      ['full_map', 'judging_map', 'map', 'optimized_full_map'],
    ],
  ])('%s (%s) by %s is in %j', (name, kind, program, expected) => {
    expect(of(file(name, kind, program))).toEqual(expected);
  });

  it.each([
    'EDITED_x.pdb',
    'TEMP_1.pdb',
    'path_2.pdb',
    'run_mr.1.pdb',
    'x_superposed_predicted.pdb',
    'x_overall_best_final_refine_001.pdb',
  ])('keeps the working file %s out of every input category', (name) => {
    expect(of(file(name, 'protein', 'phenix.predict_and_build'))).toContain('intermediate');
    expect(of(file(name, 'protein', 'phenix.predict_and_build'))).not.toContain('model');
  });

  it('classifies a submitted file by its content, even if programs use such names for working files', () => {
    expect(of(file('TEMP_1.pdb', 'protein'))).toEqual(['model', 'unclassified_pdb']);
  });
});

describe('files classified by their companions', () => {
  it.each([
    ['half_map_1.ccp4', 'half_map_2.ccp4'],
    ['emd_1_half1.mrc', 'emd_1_half2.mrc'],
    ['x_a.mrc', 'x_b.mrc'],
    ['rec-1.map', 'rec-2.map'],
    ['half_even.mrc', 'half_odd.mrc'],
  ])('classifies %s and %s as half maps', (one, other) => {
    expect(of(file(one, 'map'), file(other, 'map'))).toEqual(['half_map', 'map']);
  });

  it.each([
    ['map_1.ccp4', 'map_3.ccp4'],
    ['x_1_sharpened.ccp4', 'x_2_sharpened.ccp4'],
  ])('classifies %s beside %s as a full map', (one, other) => {
    expect(of(file(one, 'map'), file(other, 'map'))).toContain('full_map');
  });

  it.each([
    ['half_map_1.ccp4', 'full_map.ccp4'],
    ['emd_1_half2.mrc', 'emd_1.mrc'],
    ['cryosparc_map_half_A.mrc', 'cryosparc_map_sharp.mrc'],
  ])('classifies the single %s beside %s as a half map, in any order', (half, full) => {
    const [one, other] = [file(half, 'map'), file(full, 'map')];
    for (const files of [
      [one, other],
      [other, one],
    ]) {
      const found = categorise(files, categories);
      expect([found.get('half_map'), found.get('full_map')]).toEqual([[one], [other]]);
    }
  });

  it('classifies a single "half" map, or one that is only beside a mask, as a full map', () => {
    for (const name of ['half_map_1.ccp4', '2mFo-DFc.ccp4', 'x_2fofc.map'])
      expect(of(file(name, 'map'))).toContain('full_map');
    expect(of(file('half_map_1.ccp4', 'map'), file('soft_mask.mrc', 'map'))).toContain('full_map');
  });

  it('does not pair maps of different grids', () => {
    const other = {
      ...file('half_2.mrc', 'map'),
      facts: { ...density, map: { ...density.map!, grid: [32, 32, 32] as const } },
    };
    expect(of(file('half_1.mrc', 'map'), other)).toContain('full_map');
  });

  it('detects a reference model only beside another model', () => {
    expect(of(file('reference.pdb', 'protein'), file('m.pdb', 'protein'))).toEqual(['reference_model']);
    expect(of(file('reference.pdb', 'protein'))).toEqual(['model', 'unclassified_pdb']);
  });
});

it('puts the newest cycle first, and PDB before mmCIF of one cycle', () => {
  const old = { ...file('refine_001_001.pdb', 'protein', 'phenix.refine'), cycle: 2 };
  const cif = {
    ...file('refine_002_001.cif', 'protein', 'phenix.refine'),
    cycle: 4,
    facts: { ...model(), format: 'mmcif-model' as const },
  };
  const pdb = { ...file('refine_002_001.pdb', 'protein', 'phenix.refine'), cycle: 4 };
  expect(categorise([old, cif, pdb], categories).get('refined')).toEqual([pdb, cif, old]);
});
