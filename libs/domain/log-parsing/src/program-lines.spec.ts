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

  const { rows } = load(readFileSync(join(__dirname, 'fixtures/program-lines.yaml'), 'utf8')) as {
    rows: readonly { program: string; lines: readonly string[]; metrics: object }[];
  };
  it.each(rows)('$program $lines', ({ program, lines, metrics }) => {
    expect(metricsOf(program, lines)).toEqual(metrics);
  });
});
