import type { SessionFile } from '@fleet/contracts/sessions';
import {
  argvOf,
  dataFile,
  dictionaryFile,
  modelFile,
  refinements,
  walkBench,
  withOutputs,
  words,
} from '@fleet/testing';

const phaser = { metrics: { tfz: 15 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] };
const bench = walkBench({
  installed: 'all',
  runs: {
    xtriage: [{ metrics: { resolution: 1.8 } }],
    model_vs_data: [{ metrics: { r_work: 0.29, r_free: 0.3 } }],
    phaser: [phaser],
  },
});

const inGroup =
  (spaceGroup: string) =>
  (file: SessionFile): SessionFile => ({
    ...file,
    facts: { ...file.facts, spaceGroup },
  });

const modified = (file: SessionFile): SessionFile =>
  file.facts.model === undefined
    ? file
    : { ...file, facts: { ...file.facts, model: { ...file.facts.model, modifiedResidues: ['SEP'] } } };

describe('results that later programs use', () => {
  const inputs = [dataFile(), modelFile('/data/template.pdb')];

  it('the space group of the solution, until the data contain it', async () => {
    const walked = await bench.walk(inputs, {
      phaser: [{ ...phaser, metrics: { tfz: 15, space_group: 'P 21 21 2' } }],
      refine: withOutputs(refinements(0.3, 0.24), inGroup('P 21 21 2')),
    });
    expect(argvOf(walked, 'refine')).toContain('crystal_symmetry.space_group="P 21 21 2"');
    expect(argvOf(walked, 'refine', 1).join(' ')).not.toContain('space_group');
  });

  it.each(['P 21 21 21', 'P212121 (No. 19)'])('no space group if it is that of the data: %s', async (name) => {
    const walked = await bench.walk(inputs, {
      phaser: [{ ...phaser, metrics: { space_group: name } }],
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'refine').join(' ')).not.toContain('space_group');
  });

  it('a modified residue gets its restraints and is not fitted as a ligand', async () => {
    const model = modified(modelFile());
    const walked = await bench.walk([dataFile(), model, dictionaryFile('SEP')], {
      refine: withOutputs(refinements(0.24), modified),
    });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine')).toContain('/data/SEP.cif');
  });
});
