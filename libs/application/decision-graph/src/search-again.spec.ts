import type { SessionFile } from '@fleet/contracts';
import { argvOf, dataFile, modelFile, refinements, sequenceFile, walkBench, words } from '@fleet/testing';

const xtriage = [{ metrics: { resolution: 1.8, no_twinning_suspected: true } }];
const misplaced = [{ metrics: { r_work: 0.55, r_free: 0.56 } }];
const placedAt = (folder: string, tfz: number, more: Readonly<Record<string, number | string>> = {}) => ({
  metrics: { tfz, ...more },
  outputs: [modelFile(`/work/${folder}/PHASER.1.pdb`)],
});
const nothing = { fails: 'no solution: no placement of the search model meets the criterion (see above)' };

const inGroup = (spaceGroup: string): SessionFile => {
  const data = dataFile();
  return { ...data, facts: { ...data.facts, spaceGroup } };
};

const open = walkBench({ runs: { xtriage, model_vs_data: misplaced }, installed: 'open' });
const all = walkBench({ runs: { xtriage, model_vs_data: misplaced }, installed: 'all' });

describe('a search that is not believed', () => {
  it('does not refine a placement of TFZ 4.5, and looks into the other space groups of the point group', async () => {
    const walked = await open.walk([dataFile(), modelFile()], {
      phaser: [placedAt('p1', 4.5), placedAt('p2', 9.3, { space_group: 'P 21 21 2' })],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser phaser refine refine molprobity STOP converged');
    expect(argvOf(walked, 'phaser')).toEqual([
      'phenix.phaser',
      '/data/data.mtz',
      '/data/model.pdb',
      'phaser.mode=MR_AUTO',
    ]);
    expect(argvOf(walked, 'phaser', 1)).toEqual([
      'phenix.phaser',
      '/data/data.mtz',
      '/data/model.pdb',
      'phaser.mode=MR_AUTO',
      'phaser.keywords.sgalternative.select=all',
    ]);
    expect(argvOf(walked, 'refine')).toEqual(
      expect.arrayContaining(['/work/p2/PHASER.1.pdb', 'crystal_symmetry.space_group="P 21 21 2"']),
    );
  });

  it('takes the second of two search models when the first gives TFZ 5', async () => {
    const walked = await open.walk([dataFile(), modelFile('/data/first.pdb'), modelFile('/data/second.pdb')], {
      phaser: [placedAt('p1', 5), placedAt('p2', 14)],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser phaser refine refine molprobity STOP converged');
    expect(argvOf(walked, 'phaser')[2]).toBe('/data/first.pdb');
    expect(argvOf(walked, 'phaser', 1)[2]).toBe('/data/second.pdb');
    expect(argvOf(walked, 'refine')).toContain('/work/p2/PHASER.1.pdb');
  });

  it('tries other numbers of copies before anything else, where a placement is not believed', async () => {
    const walked = await open.walk([dataFile(), modelFile()], {
      xtriage: [{ metrics: { resolution: 1.8, n_residues: 290 } }],
      phaser: [placedAt('p1', 4), placedAt('p2', 12)],
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser')).toContain('phaser.search_copies=3');
    expect(argvOf(walked, 'phaser', 1)).toContain('phaser.search_copies=2');
    expect(words(walked)).toBe('xtriage model_vs_data phaser phaser refine refine molprobity STOP converged');
  });

  it('looks into both hands from the beginning where the space group has two, and refines in the one that was found', async () => {
    const walked = await open.walk([inGroup('P 61 2 2'), modelFile()], {
      phaser: [placedAt('p1', 15, { space_group: 'P 65 2 2' })],
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser')).toContain('phaser.keywords.sgalternative.select=hand');
    expect(argvOf(walked, 'refine')).toEqual(
      expect.arrayContaining(['/work/p1/PHASER.1.pdb', 'crystal_symmetry.space_group="P 65 2 2"']),
    );
  });

  it('lets the first refinement judge a TFZ between 6 and 8', async () => {
    const walked = await open.walk([dataFile(), modelFile()], {
      phaser: [placedAt('p1', 6.8), placedAt('p2', 11)],
      refine: refinements(0.53, 0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser refine phaser refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine', 1)).toContain('/work/p2/PHASER.1.pdb');
  });

  it('names every way in the end, and no other hand where there is none', async () => {
    const walked = await open.walk([dataFile(), modelFile('/data/first.pdb'), modelFile('/data/second.pdb')], {
      phaser: [nothing],
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser phaser phaser phaser STOP hopeless');
    expect(walked.stop.detail).toBe(
      'The search model could not be placed, so there is no structure. Molecular replacement searched in 4 ways: first.pdb (nothing was ' +
        'found); second.pdb (nothing was found); first.pdb in every space group of the point group (nothing was found); second.pdb in every ' +
        'space group of the point group (nothing was found). Without a sequence neither a prediction nor experimental phasing is possible: ' +
        'submit the sequence of the crystal. A search without a solution does not show that the model is wrong: a more sensitive program or ' +
        'a closer model may find one. Submit another search model, or check by the cell and the sequence that the crystal holds what ' +
        'is expected.',
    );
    expect(walked.stop.detail).not.toContain('hand');
  });

  it('refines the best of the unlikely placements when no way is left', async () => {
    const walked = await open.walk([dataFile(), modelFile()], {
      phaser: [placedAt('p1', 5.4), placedAt('p2', 5.1)],
      refine: refinements(0.54),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser phaser refine STOP hopeless');
    expect(argvOf(walked, 'refine')).toContain('/work/p1/PHASER.1.pdb');
    expect(walked.stop.detail).toContain('model.pdb (R-free stays at 0.540 after refinement)');
  });

  it('searches for a model that was treated as placed and refines badly', async () => {
    const walked = await open.walk([dataFile(), modelFile()], {
      model_vs_data: [{ metrics: { r_work: 0.46, r_free: 0.48 } }],
      phaser: [placedAt('p1', 17)],
      refine: refinements(0.53, 0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine phaser refine refine molprobity STOP converged');
    expect(argvOf(walked, 'phaser')[2]).toBe('/data/model.pdb');
    expect(argvOf(walked, 'refine', 1)).toContain('/work/p1/PHASER.1.pdb');
  });

  it('continues with the copies that were placed, and tells of those that were not', async () => {
    const walked = await open.walk([dataFile(), modelFile()], {
      xtriage: [{ metrics: { resolution: 1.8, n_residues: 290 } }],
      phaser: [placedAt('p1', 13, { copies_asked_for: 3, copies_placed: 2 })],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser refine refine molprobity STOP converged');
    expect(walked.stop.detail).toContain('Molecular replacement searched for up to 3 copies; the crystal holds 2.');
  });

  it('tells of missing copies where the target is not met', async () => {
    const walked = await open.walk([dataFile(), modelFile()], {
      xtriage: [{ metrics: { resolution: 1.8, n_residues: 290 } }],
      phaser: [placedAt('p1', 13, { copies_asked_for: 3, copies_placed: 2 })],
      refine: refinements(0.33),
    });
    expect(walked.stop.detail).toContain('Molecular replacement placed 2 of the 3 copies that were searched for.');
  });

  it('puts a model of the same crystal form into the cell of the data instead of searching', async () => {
    const [data, model] = [inGroup('P 21 21 21'), modelFile()];
    const cell = data.facts.cell!;
    const larger = [cell[0] * 1.02, ...cell.slice(1)] as unknown as typeof cell;
    const isomorphous = { ...model, facts: { ...model.facts, cell: larger, spaceGroup: 'P 21 21 21' } };
    const walked = await open.walk([data, isomorphous], { refine: refinements(0.24) });
    expect(words(walked)).toBe('xtriage refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine')).toEqual(
      expect.arrayContaining([
        'refine.strategy=rigid_body+individual_sites+individual_adp',
        `crystal_symmetry.unit_cell="${cell.join(' ')}"`,
      ]),
    );
    expect(argvOf(walked, 'refine', 1).join(' ')).not.toContain('rigid_body');
  });

  it('searches all groups of the point group where the data say only that, and names the one that was found', async () => {
    const walked = await open.walk([inGroup('P 4 2 2'), modelFile()], {
      phaser: [placedAt('p1', 27, { space_group: 'P 41 21 2' })],
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser')).toContain('phaser.keywords.sgalternative.select=all');
    expect(walked.stop.detail).toContain('The structure is in space group P 41 21 2; the submitted data say P 4 2 2.');
  });

  it('leaves the space group and the copies alone that the submitter has set', async () => {
    const walked = await open.walk(
      [inGroup('P 61 2 2'), modelFile()],
      { phaser: [nothing] },
      { directives: { program_settings: { 'phenix.phaser': { space_group: 'P 61 2 2' } } } },
    );
    expect(words(walked)).toBe('xtriage model_vs_data phaser STOP hopeless');
    expect(argvOf(walked, 'phaser').join(' ')).not.toContain('sgalternative');
  });

  it('predicts a model in place of a wrong one whose sequence is known', async () => {
    const walked = await all.walk([dataFile(), modelFile(), sequenceFile()], {
      phaser: [placedAt('p1', 4.2)],
      predict_and_build: [
        { metrics: { r_free: 0.3, r_work: 0.27 }, outputs: [modelFile('/work/b/PredictAndBuild_0_overall_best.pdb')] },
      ],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe(
      'xtriage model_vs_data phaser phaser predict_and_build refine refine molprobity STOP converged',
    );
    expect(argvOf(walked, 'refine')).toContain('/work/b/PredictAndBuild_0_overall_best.pdb');
  });
});
