import type { SessionFile, SessionStop } from '@fleet/contracts/sessions';
import { aCatalogue, aFile, aFullCatalogue, dataFile, modelFile, type FakeRuns, type WalkBench } from '@fleet/testing';

/** A session that is walked to its end, and what it is an example of. */
export interface EndedExample {
  readonly about: string;
  readonly end: (bench: WalkBench) => Promise<SessionStop>;
}

/** Where a template was put. */
export const phaser = [{ outputs: [modelFile('/work/p/PHASER.1.pdb')] }];

export const at = (resolution: number): FakeRuns => ({
  xtriage: [{ metrics: { resolution, no_twinning_suspected: true } }],
});
const placed: FakeRuns = { ...at(1.6), model_vs_data: [{ metrics: { r_work: 0.43, r_free: 0.49 } }] };
export const misplaced: FakeRuns = { ...at(1.6), model_vs_data: [{ metrics: { r_work: 0.58, r_free: 0.59 } }] };
export const data = dataFile();
export type Walked = Parameters<WalkBench['walk']>;

export const ends =
  (...[inputs, runs = {}, options]: Walked) =>
  async (bench: WalkBench): Promise<SessionStop> =>
    (await bench.walk(inputs, { ...placed, ...runs }, options)).stop;

/** With all programs of a licensed PHENIX. */
export const endsWithAll =
  (...[inputs, runs = {}, options]: Walked) =>
  async (bench: WalkBench): Promise<SessionStop> =>
    ends(inputs, runs, { ...options, catalogue: aFullCatalogue(bench.ruleBook) })(bench);

export const without = (...names: readonly string[]): Pick<NonNullable<Walked[2]>, 'catalogue'> => ({
  catalogue: aCatalogue({ without: names }),
});
export const few = { polymerResidues: 42 };
export const refinedFew = (value: number): FakeRuns => ({
  xtriage: [{ metrics: { resolution: 1.6, no_twinning_suspected: true, n_residues: 140 } }],
  refine: [
    { metrics: { r_free: value, r_work: value - 0.03 }, outputs: [modelFile('/work/r/refine_001_001.pdb', few)] },
  ],
});

export const [front, back] = [
  'KVFGRCELAAAMKRHGLDNYRGYSLGNWVCAAKFESNFNTQATNRNTDGSTDYGILQ',
  'INSRWWCNDGRTPGSRNLCNIPCSALLSSDITASVNCAKKIVSDGNGMNAWVAWRNRCKGTDVQAWIRGCRL',
];
export const partOf = (name: string, sequence: string, folder = '/data'): SessionFile =>
  modelFile(`${folder}/${name}.pdb`, { polymerResidues: sequence.length, sequences: [sequence] });
export const crystalOf = (sequence: string): SessionFile =>
  aFile({
    path: '/data/seq.fasta',
    facts: { format: 'sequence', sequence: { chains: 1, residues: sequence.length, sequences: [sequence] } },
  });
