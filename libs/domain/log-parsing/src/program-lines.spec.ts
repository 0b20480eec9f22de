import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import { load } from 'js-yaml';
import { ProgramLogFormat } from './index';

const programs = join(__dirname, '../../../../knowledge/programs');

const metricsOf = (program: string, lines: readonly string[]): Record<string, unknown> => {
  const knowledge = load(readFileSync(join(programs, `${program}.yaml`), 'utf8')) as ProgramKnowledge;
  const reader = new ProgramLogFormat(knowledge, { known: [], recoverable: [], endings: [] }).open();
  reader.push(Buffer.from(`${lines.join('\n')}\n`));
  return Object.fromEntries(reader.end().metrics.map(({ name, value }) => [name, value]));
};

/** Of mmtbx/model/statistics.py, at the start and at the end; in capitals unless its caller says otherwise. */
const statistics =
  'All-atom Clashscore : 15.31|Ramachandran Plot:|Outliers :  1.00 %|Favored  : 93.65 %|Rotamer:|Outliers :  2.00 %|' +
  'All-atom Clashscore : 5.31|Ramachandran Plot:|Outliers :  0.10 %|Favored  : 97.55 %|Rotamer:|Outliers :  0.43 %';
const geometry = { clashscore: 5.31, ramachandran_outliers: 0.1, ramachandran_favored: 97.55 };

/** Lines of licensed programs for which no complete log is available. */
describe('the lines of', () => {
  it('autosol: the solution with the highest BAYES-CC, which comes first, not the rejected hand after it', () => {
    const lines = [
      'Solution # 1  BAYES-CC: 59.1 +/- 13.7 (2SD) Dataset #1   FOM: 0.56',
      '  Sites: 5 (Already used)      Refined Sites: 6',
      '  Residues built: 127',
      '  R/R-free: 0.21/0.24',
      '  Overall model-map correlation: 0.842',
      'Solution # 2  BAYES-CC: 17.6 +/- 21.0 (2SD) Dataset #1   FOM: 0.31',
      '  Sites: 9 (inverse hand)      Refined Sites: 9',
      '  Residues built: 12',
      '  R/R-free: 0.48/0.52',
      '  Overall model-map correlation: 0.211',
    ];
    expect(metricsOf('autosol', lines)).toEqual({
      bayes_cc: 59.1,
      fom: 0.56,
      sites_found: 6,
      residues_built: 127,
      r_work: 0.21,
      r_free: 0.24,
      model_map_cc: 0.842,
    });
  });

  it('phaser: the score of all copies, which is the last in the line', () => {
    const lines = [
      '   SOLU SET  RFZ=6.4 TFZ=9.4 PAK=0 LLG=112 TFZ==11.0 RF++ TFZ=19.6 PAK=0 LLG=374 LLG=398 TFZ==20.6',
      '   SOLU SPAC P 21 21 21',
    ];
    expect(metricsOf('phaser', lines)).toEqual({
      tfz: 20.6,
      llg: 398,
      rfz: 6.4,
      packing_clashes: 0,
      space_group: 'P 21 21 21',
    });
  });

  it('phaser: the TFZ of the last copy, if only the one before it was refined', () => {
    const lines = [
      '   SOLU SET  RFZ=10.0 TFZ=15.8 PAK=0 LLG=180 TFZ==17.5 RFZ=4.3 TFZ=4.5 PAK=1 LLG=190',
      '   SOLU SPAC P 65 2 2',
    ];
    expect(metricsOf('phaser', lines)).toMatchObject({
      tfz: 4.5,
      llg: 190,
      packing_clashes: 1,
      space_group: 'P 65 2 2',
    });
  });

  it('phaser of the open programs: the component that was not found', () => {
    const lines = [
      'Component back.pdb: 1 of 1 copies found, TFZ=15.8',
      'Component front.pdb: 0 of 1 copies found',
      'Components placed: 1 of 2',
    ];
    expect(metricsOf('phaser', lines)).toMatchObject({ tfz: 15.8, component_not_found: 'front.pdb' });
  });

  it('phaser of the open programs: how many of the requested copies were found', () => {
    const lines = [
      'Found 1 of 3 copies; chains A',
      'SOLU SPAC P 1',
      'SOLU SET RFZ=4.0 TFZ=9.0 PAK=0 TFZ==9.0',
      'Copies found: 1 of 3',
    ];
    expect(metricsOf('phaser', lines)).toMatchObject({ copies_placed: 1, copies_asked_for: 3 });
  });

  it('refine of the open programs: the weight of the data, and the geometry at the end and as submitted', () => {
    const lines = [
      "Weight of the data: 5.72 (0.3 of Servalcat's estimate, jelly-body restraints); it keeps all limits",
      '   end: 0.2212 0.2535 0.008  1.820     0',
      'Geometry:               start     final',
      '  RMS(bonds)           0.0198    0.0083',
      '  RMS(angles)           2.263     1.820',
      '  Ramachandran favored  98.36 %  97.81 %',
      '  Ramachandran outliers  1.09 %   0.55 %',
      '  Clashscore              10.05      8.21',
      '  C-beta deviations         4         2',
      'Final R-work = 0.2212, R-free = 0.2535',
    ];
    expect(metricsOf('refine', lines)).toEqual({
      data_weight: 5.72,
      r_work: 0.2212,
      r_free: 0.2535,
      bonds_rmsd: 0.008,
      angles_rmsd: 1.82,
      ramachandran_favored: 97.81,
      ramachandran_outliers: 0.55,
      clashscore: 8.21,
      cbeta_deviations: 2,
      start_angles_rmsd: 2.263,
      start_ramachandran_favored: 98.36,
      start_ramachandran_outliers: 1.09,
      start_clashscore: 10.05,
    });
  });

  it('real_space_refine of the open programs: the geometry at the end and as submitted', () => {
    const lines = [
      "Weight of the data: 0.39 (0.3 of Servalcat's estimate); it keeps all limits, the best of 2 trials that does",
      'Clashscore: 5.41',
      'Geometry:               start     final',
      '  RMS(bonds)              0.0092    0.0075',
      '  RMS(angles)              1.373     1.110',
      '  Ramachandran favored  88.11 %  89.19 %',
      '  Ramachandran outliers  4.32 %   3.78 %',
      '  Clashscore               6.85      5.41',
      'Start CC_mask : 0.6986',
      'Final CC_mask : 0.7830',
    ];
    expect(metricsOf('real_space_refine', lines)).toEqual({
      data_weight: 0.39,
      start_map_cc: 0.6986,
      map_cc: 0.783,
      angles_rmsd: 1.11,
      ramachandran_favored: 89.19,
      ramachandran_outliers: 3.78,
      clashscore: 5.41,
      start_angles_rmsd: 1.373,
      start_ramachandran_favored: 88.11,
      start_ramachandran_outliers: 4.32,
      start_clashscore: 6.85,
    });
    const distorted = [...lines.slice(0, 7), '  Clashscore            not available      5.41'];
    expect(metricsOf('real_space_refine', distorted)).not.toHaveProperty('start_clashscore');
  });

  it('autobuild: the last R factors, and never the placeholder 999.90', () => {
    const lines = [
      'Resolution from datafile: 2.10000',
      'Cycle 1  R/Rfree=0.30/0.34  Built=90  Placed=80 Resolution=2.1 A',
      'Cycle 2  R/Rfree=999.90/999.90  Built=0  Placed=0 Resolution=2.1 A',
      'Residues built: 90',
      'Residues built: 121',
    ];
    expect(metricsOf('autobuild', lines)).toEqual({ r_work: 0.3, r_free: 0.34, resolution: 2.1, residues_built: 121 });
    const solved = [...lines, 'Model: refine.pdb_1  R/Rfree=0.22/0.26'];
    expect(metricsOf('autobuild', solved)).toMatchObject({ r_work: 0.22, r_free: 0.26 });
    const unimproved = [
      'Model as given: R/Rfree=0.3160/0.3683; after 5 cycles 0.3142/0.3681',
      'Rebuilding does not lower R-free (0.3681 before, 0.3830 after): the model as given is written, refined',
      'R and R-free: 0.3142 0.3681',
    ];
    expect(metricsOf('autobuild', unimproved)).toEqual({ r_work: 0.3142, r_free: 0.3681, kept_submitted: true });
    expect(metricsOf('autobuild_denmod', solved)).toMatchObject({ r_work: 0.22, r_free: 0.26, resolution: 2.1 });
  });

  it('predict_and_build: the pLDDT of the final model, R-free as R-free', () => {
    const predicted = [
      'PREDICTED MODEL 1 plDDT: 89.96',
      'PREDICTED MODEL 2 plDDT: 94.6',
      'PREDICTED MODEL 3 plDDT: 95.1',
    ];
    expect(metricsOf('predict_and_build', predicted)).toEqual({ plddt: 95.1 });
    const lines = [
      ...predicted,
      'Keeping model 2 with plDDT = 94.6',
      'Map-model CC for MR model 1: 0.63',
      'Refinement successful with CC_mask = 0.65',
      'R-work: 0.21',
      'R-free: 0.27',
    ];
    expect(metricsOf('predict_and_build', lines)).toEqual({ plddt: 94.6, map_cc: 0.65, r_work: 0.21, r_free: 0.27 });
  });

  it.each([
    [
      'phaser',
      ['SOLU SPAC P 21 21 21', 'RFZ=5.2 TFZ=8.1 PAK=0 LLG=310', 'RFZ=4.0 TFZ==12.0 LLG=900', 'TFZ==24.5 LLG=1250'],
      { tfz: 24.5, llg: 1250, rfz: 5.2, packing_clashes: 0, space_group: 'P 21 21 21' },
    ],
    [
      'ligandfit',
      ['CC to map: 0.40', 'CC to map: 0.83', 'Overall score: 131.2', 'Atoms placed: 31 of 31', 'number_of_ligands 1'],
      { ligand_cc: 0.83, ligand_score: 131.2, atoms_placed: 31, ligand_atoms: 31, n_ligands: 1 },
    ],
    [
      'ligandfit',
      ['Atoms in density above 1 rms: 24 of 31', 'Local CC with DELFWT (mFo-DFc): 0.412'],
      { atoms_in_density: 24, ligand_difference_cc: 0.412 },
    ],
    [
      'ligandfit',
      ['Waters that the ligand replaces: W 22, W 49 (phenix.pdbtools leaves them out)'],
      { waters_replaced: 'W 22, W 49' },
    ],
    ['polder', ['The polder map is likely to show the omitted atoms.'], { polder_conclusion: 'likely' }],
    ['polder', ['The polder map is very likely to show bulk-solvent or noise.'], { polder_conclusion: 'unlikely' }],
    [
      'polder',
      ['The polder map is more likely to show the omitted atoms than bulk solvent.'],
      { polder_conclusion: 'inconclusive' },
    ],
    [
      'polder',
      ['The polder map is more likely to show bulk-solvent or noise instead of the', 'omitted atoms.'],
      { polder_conclusion: 'inconclusive' },
    ],
    [
      'ligandfit',
      ['starting_cc 0.07', 'starting_cc 0.60', 'Starting local CC of ligand as input to map: 0.12'],
      { starting_cc: 0.07, starting_local_cc: 0.12 },
    ],
    ['ligandfit', ['Starting CC of ligand as input to map: 0.07'], { starting_cc: 0.07 }],
    ['map_symmetry', ['No symmetry found'], { symmetry_type: 'None' }],
    ['dock_in_map', ['CC_mask : 0.40', 'CC_mask : 0.78'], { map_cc: 0.78 }],
    ['map_to_model', ['Model 1 with CC = 0.52', 'Model 2 with CC = 0.59'], { map_cc: 0.59 }],
    ['map_to_model', ['Model-map CC (local):  0.59'], { map_cc: 0.59 }],
    [
      'map_to_model',
      [
        '    resolution = 3.9',
        'High-resolution cutoff:            4.00 A',
        '  Residues built: 90',
        '  Residues built: 127',
      ],
      { resolution: 4, residues_built: 127 },
    ],
    ['map_to_model', ['  crystal_info {', '    resolution = 3.9', '    resolution = None'], { resolution: 3.9 }],
    ['predict_and_build', ['  crystal_info {', '    resolution = 2.9', 'working_resolution = 4'], { resolution: 2.9 }],
    ['predict_and_build', ['resolution = 3.1', 'Resolution for map-model CC: 2.900 A'], { resolution: 2.9 }],
    [
      'predict_and_build',
      ["Resolution estimated from FSC of 'map_manager_1' and 'map_manager_2: 2.850 A "],
      { resolution: 2.85 },
    ],
    [
      'map_symmetry',
      ['NCS type: C7', 'NCS type: D7 (a)', 'Copies: 14', 'Correlation of symmetry-related regions: 0.98'],
      { symmetry_type: 'D7 (a)', ncs_copies: 14, ncs_cc: 0.98 },
    ],
    [
      'real_space_refine',
      ['CC_mask  : 0.668', 'CC_mask  : 0.720', 'Clashscore: 8.0', 'Clashscore: 4.2'],
      { map_cc: 0.72, clashscore: 4.2 },
    ],
    ['real_space_refine', statistics.split('|'), geometry],
    ['real_space_refine', statistics.toUpperCase().split('|'), geometry],
    [
      'refine',
      ['| twin fraction: 0.40  twin operator: h,-h-k,-l |', 'r_free=0.22 twin_fraction=0.38 twin_law=h,-h-k,-l'],
      { twin_fraction: 0.38, twin_law: 'h,-h-k,-l' },
    ],
    ['model_vs_data', ['r_work          : 0.144', 'r_work(re-computed)     : 0.1850'], { r_work: 0.185 }],
    ['mtriage', ['d99 : 3.2', 'd_fsc_model_05: 3.1', 'CC_mask: 0.72'], { resolution: 3.1, map_cc: 0.72 }],
    ['validation_cryoem', ['CC_mask  : 0.8950', 'CC_volume: 0.9001'], { map_cc: 0.895, cc_volume: 0.9001 }],
    ['map_correlations', ['CC_mask : 0.71', 'map-map CC: 0.93'], { cc_mask: 0.71, map_map_cc: 0.93 }],
    ['resolve_cryo_em', ['Final resolution: 2.7'], { resolution: 2.7 }],
    ['resolve_cryo_em', ['\tFinal   resolution:     2.7  '], { resolution: 2.7 }],
    ['xtriage', ['Resolution range: 50.00 - 2.30'], { resolution: 2.3 }],
    ['xtriage', ['  Resolution range:   28.4872   1.74434'], { resolution: 1.74434 }],
    [
      'ligandfit',
      [' cc_overall  0.777', ' starting_cc  0.714', ' number_of_ligands  1'],
      { ligand_cc: 0.777, starting_cc: 0.714, n_ligands: 1 },
    ],
    ['map_symmetry', ['No suitable symmetry found with center of map as center...'], { symmetry_type: 'None' }],
    [
      'map_symmetry',
      ['No suitable symmetry found', 'NCS type: D7 (a)', 'Correlation of symmetry-related regions: 0.93   Copies: 14'],
      { symmetry_type: 'D7 (a)', ncs_cc: 0.93, ncs_copies: 14 },
    ],
    ['autobuild', ['Cycle 3  R/Rfree=0.21/0.26  Built=121'], { r_work: 0.21, r_free: 0.26 }],
    ['autobuild', ['New values of R/Rfree:    0.21/   0.27'], { r_work: 0.21, r_free: 0.27 }],
    ['autobuild', ['with R/Rfree=   0.21/  0.27 and map-model CC =   0.75'], { r_work: 0.21, r_free: 0.27 }],
    ['autobuild', ['R/R-free: 0.5/0.54'], { r_work: 0.5, r_free: 0.54 }],
    ['autobuild', ['R:   0.21  Rfree:   0.27'], { r_work: 0.21, r_free: 0.27 }],
    ['autobuild', ['R and R-free:  0.20  0.26', 'Cycle 9  R/Rfree=0.31/0.36'], { r_work: 0.2, r_free: 0.26 }],
    [
      'autobuild',
      ['Best solution on cycle: 14    R/Rfree=0.38/0.42', 'Cycle 15  R/Rfree=0.40/0.45'],
      { r_work: 0.38, r_free: 0.42 },
    ],
    [
      'autobuild',
      [
        'SOLUTION  CYCLE     R        RFREE     BUILT   PLACED',
        '1  1  0.29  0.34  90  80',
        '2  2  0.21  0.25  120  118',
        '3  3  0.23  0.24  119  110',
      ],
      { r_work: 0.21, r_free: 0.25 },
    ],
    ['refine', ['Final R-work = 0.2150', 'Final R-free = 0.2580'], { r_work: 0.215, r_free: 0.258 }],
    ['mtriage', ['d_fsc_model_05 = 3.21', 'CC_mask = 0.856'], { resolution: 3.21, map_cc: 0.856 }],
  ])('%s %j', (program, lines, expected) => {
    expect(metricsOf(program, lines)).toEqual(expected);
  });
});
