import type { SessionFile } from '@fleet/contracts/sessions';
import { argvOf, aSession, dataFile, modelFile, refinements, sequenceFile, walkBench, words } from '@fleet/testing';

const lysozyme =
  'KVFGRCELAAAMKRHGLDNYRGYSLGNWVCAAKFESNFNTQATNRNTDGSTDYGILQINSRWWCNDGRTPGSRNLCNIPCSALLSSDITASVNCAKKIVSDGNGMNAWVAWRNRCKGTDVQAWIRGCRL';
const [front, back] = [lysozyme.slice(0, 58), lysozyme.slice(58)];
const ubiquitin = 'MQIFVKTLTGKTITLEVEPSDTIENVKAKIQDKEGIPPDQQRLIFAGKQLEDGRTLSDYNIQKESTLHLVLRLRGG';

const part = (name: string, ...sequences: readonly string[]): SessionFile =>
  modelFile(`/data/${name}.pdb`, { polymerResidues: sequences.join('').length, sequences });
const crystal = (...sequences: readonly string[]): SessionFile => {
  const file = sequenceFile(sequences.join('').length);
  const { residues } = file.facts.sequence!;
  return { ...file, facts: { ...file.facts, sequence: { chains: sequences.length, residues, sequences } } };
};
const placed = (folder: string, ...sequences: readonly string[]) => ({
  metrics: { tfz: 15 },
  outputs: [modelFile(`/work/${folder}/PHASER.1.pdb`, { polymerResidues: sequences.join('').length, sequences })],
});

const bench = walkBench({
  runs: {
    xtriage: [{ metrics: { resolution: 1.8, no_twinning_suspected: true } }],
    model_vs_data: [{ metrics: { r_work: 0.55, r_free: 0.56 } }],
  },
  installed: 'open',
});
const { walk } = bench;

const together = [
  'phenix.phaser',
  '/data/data.mtz',
  '/data/seq.fasta',
  'phaser.ensemble.coordinates.pdb=/data/back.pdb',
  'phaser.ensemble.coordinates.pdb=/data/front.pdb',
  'phaser.mode=MR_AUTO',
];

describe('a crystal whose components are in several files', () => {
  it.each([
    ['front first', [part('front', front), part('back', back)]],
    ['back first', [part('back', back), part('front', front)]],
  ])('is searched with all of them in one command: %s', async (_name, models) => {
    const walked = await walk([dataFile(), ...models, crystal(lysozyme)], {
      phaser: [placed('p', front, back)],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser refine refine molprobity STOP converged');
    expect(argvOf(walked, 'phaser')).toEqual(together);
    expect(argvOf(walked, 'refine')).toContain('/work/p/PHASER.1.pdb');
  });

  it('is searched once for each set of its components', async () => {
    const walked = await walk([dataFile(), part('front', front), part('back', back), crystal(lysozyme)], {
      xtriage: [{ metrics: { resolution: 1.8, n_copies: 2 } }],
      phaser: [placed('p', front, back)],
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser')).toEqual([...together, 'phaser.search.copies=2']);
  });

  it('contains both chains of a complex without a sequence', async () => {
    const walked = await walk([dataFile(), part('ub', ubiquitin), part('lyso', lysozyme)], {
      phaser: [placed('p', lysozyme, ubiquitin)],
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser').slice(2, 4)).toEqual([
      'phaser.ensemble.coordinates.pdb=/data/lyso.pdb',
      'phaser.ensemble.coordinates.pdb=/data/ub.pdb',
    ]);
  });

  it('uses one model per component: two models of the same protein are alternatives', async () => {
    const walked = await walk([dataFile(), part('one', lysozyme), part('other', back), crystal(lysozyme)], {
      phaser: [{ fails: 'no solution' }, placed('p', back)],
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser')).toContain('/data/one.pdb');
    expect(argvOf(walked, 'phaser', 1)).toContain('/data/other.pdb');
    expect(argvOf(walked, 'phaser').join(' ')).not.toContain('ensemble');
  });

  it('reports a component that was not placed, and never calls the result complete', async () => {
    const walked = await walk([dataFile(), part('front', front), part('back', back), crystal(lysozyme)], {
      phaser: [placed('p', back)],
      refine: refinements(0.249),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser refine refine molprobity STOP unsatisfactory');
    expect(walked.stop.detail).toContain(
      'back.pdb placed, TFZ 15.0; front.pdb not found, 58 of 129 residues. R-free is 0.249 without it.',
    );
    const { request, cycles } = walked.session;
    const outcome = await bench.decide(aSession({ cycle: 4, cycles: cycles.slice(0, 3), request }));
    expect(outcome.events.map(({ data }) => data['id'])).toContain('component_not_placed');
  });

  it('tries another model of an unplaced component, with the others unchanged', async () => {
    const models = [part('front', front), part('back', back), part('front-trimmed', front.slice(0, 50))];
    const walked = await walk([dataFile(), ...models, crystal(lysozyme)], {
      phaser: [placed('p1', back), placed('p2', back, front.slice(0, 50))],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe('xtriage model_vs_data phaser phaser refine refine molprobity STOP converged');
    expect(argvOf(walked, 'phaser', 1)).toEqual(
      expect.arrayContaining([
        'phaser.ensemble.coordinates.pdb=/data/back.pdb',
        'phaser.ensemble.coordinates.pdb=/data/front-trimmed.pdb',
      ]),
    );
    expect(argvOf(walked, 'refine')).toContain('/work/p2/PHASER.1.pdb');
  });

  it('has each of its predictions processed before the search', async () => {
    const raw = (name: string, sequence: string) =>
      modelFile(`/data/AF-${name}.pdb`, { predicted: true, polymerResidues: sequence.length, sequences: [sequence] });
    const processed = (name: string, sequence: string) => ({
      outputs: [
        modelFile(`/work/${name}/AF-${name}_processed.pdb`, {
          polymerResidues: sequence.length,
          sequences: [sequence],
        }),
      ],
    });
    const walked = await walk([dataFile(), raw('ub', ubiquitin), raw('lyso', lysozyme), crystal(lysozyme, ubiquitin)], {
      process_predicted_model: [processed('lyso', lysozyme), processed('ub', ubiquitin)],
      phaser: [placed('p', lysozyme, ubiquitin)],
      refine: refinements(0.24),
    });
    expect(words(walked)).toBe(
      'xtriage process_predicted_model process_predicted_model phaser refine refine molprobity STOP converged',
    );
    expect(argvOf(walked, 'process_predicted_model')).toContain('/data/AF-lyso.pdb');
    expect(argvOf(walked, 'process_predicted_model', 1)).toContain('/data/AF-ub.pdb');
    expect(argvOf(walked, 'phaser')).toEqual(
      expect.arrayContaining([
        'phaser.ensemble.coordinates.pdb=/work/lyso/AF-lyso_processed.pdb',
        'phaser.ensemble.coordinates.pdb=/work/ub/AF-ub_processed.pdb',
      ]),
    );
  });

  it('tries the domains of a model together if the whole was not found', async () => {
    const models = [part('front', front), part('whole', lysozyme), part('back', back)];
    const walked = await walk([dataFile(), ...models, crystal(lysozyme)], {
      phaser: [{ fails: 'no solution' }, placed('p', front, back)],
      refine: refinements(0.24),
    });
    expect(argvOf(walked, 'phaser')).toContain('/data/whole.pdb');
    expect(argvOf(walked, 'phaser', 1)).toEqual(together);
  });
});
