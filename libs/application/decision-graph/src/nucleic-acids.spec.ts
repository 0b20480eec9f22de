import { aFile, dataFile, modelFile, refinements, walkBench, words } from '@fleet/testing';

const runs = { xtriage: [{ metrics: { resolution: 1.6, no_twinning_suspected: true } }], refine: refinements(0.24) };
const { walk } = walkBench({
  runs: { ...runs, model_vs_data: [{ metrics: { r_work: 0.43, r_free: 0.49 } }] },
  installed: 'open',
});
const everything = walkBench({ runs, installed: 'all' });

const sequences = (...chains: readonly string[]) =>
  aFile({
    path: '/data/seq.fasta',
    facts: {
      format: 'sequence',
      sequence: { chains: chains.length, residues: chains.join('').length, sequences: [...chains] },
    },
  });
const rna = 'GCGGAUUUAGCUCAGUUGGG';
const protein = 'MKTAYIAKQRQISFVKSHFSRQ';

describe('DNA and RNA of the sequence', () => {
  it('are reported if the model contains none of them', async () => {
    const walked = await walk([dataFile(), modelFile(), sequences(protein, rna)]);
    expect(words(walked)).toMatch(/STOP converged$/);
    expect(walked.stop.detail).toContain(
      'The sequence holds RNA (20 residues), and the model holds no nucleic acid: build it into the density, or submit a model of it.',
    );
  });

  it('are reported if the geometry of the model is not acceptable', async () => {
    const bad = { ramachandran_favored: 71.35, clashscore: 31.7 };
    const refine = [{ metrics: { r_free: 0.24, ...bad }, outputs: [modelFile('/work/r/refine_001_001.pdb')] }];
    const walked = await walk([dataFile(), modelFile(), sequences(protein, rna)], { refine });
    expect(walked.stop.reason).toBe('unsatisfactory');
    expect(walked.stop.detail).toMatch(/geometry of the model is not acceptable.*The sequence holds RNA/);
  });

  it('are not missing if the model contains some', async () => {
    const held = { nucleicResidues: 20 };
    const refine = [{ metrics: { r_free: 0.24 }, outputs: [modelFile('/work/r/refine_001_001.pdb', held)] }];
    const walked = await walk([dataFile(), modelFile('/data/model.pdb', held), sequences(protein, rna)], { refine });
    expect(walked.stop.detail).not.toContain('nucleic acid');
  });

  it('are never predicted, installed or not', async () => {
    const missing = await walk([dataFile(), sequences(rna)]);
    expect([words(missing), missing.stop.detail].join()).not.toContain('predict_and_build');
    const installed = await everything.walk([dataFile(), sequences(rna)]);
    expect(words(installed)).not.toContain('predict_and_build');
    expect(words(await everything.walk([dataFile(), sequences(protein, rna)]))).toContain('predict_and_build');
  });
});
