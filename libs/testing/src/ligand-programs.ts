import type { SessionFile } from '@fleet/contracts/sessions';
import { dataFile, dictionaryFile, modelFile, type FakeRun, type FakeRuns } from './session-walk';

/** Metrics of the fit, the refinement after the merge and the omit map for each ligand. */
export interface LigandNumbers {
  readonly fit: FakeRun['metrics'];
  readonly refined?: number;
  readonly omit?: FakeRun['metrics'];
}

/** A ligand that everything confirms. */
export const goodLigand = {
  fit: { ligand_cc: 0.893, ligand_atoms: 41, atoms_in_density: 40 },
  refined: 0.238,
  omit: { cc_1_2: 0.59, cc_1_3: 0.939, cc_2_3: 0.55, polder_conclusion: 'likely' },
} satisfies LigandNumbers;

interface Course {
  /** R-free of refinements without a new ligand. */
  readonly plain?: readonly number[];
  /** Components of the submitted model. */
  readonly held?: readonly string[];
  /** Components for which phenix.elbow makes no restraints. */
  readonly withoutRestraints?: readonly string[];
}

/** Programs that copy the ligands of their input models to their output. */
export const ligandPrograms = (
  numbersOf: (code: string) => LigandNumbers | undefined,
  { plain = [0.302], held = [], withoutRestraints = [] }: Course = {},
): FakeRuns => {
  const codes = new Map([['/data/model.pdb', held]]);
  let fitted = '';
  let plainRuns = 0;
  const model = (path: string, contained: readonly string[]): SessionFile => {
    codes.set(path, contained);
    return modelFile(path, { ligandCodes: contained });
  };
  const codesIn = (inputs: readonly { readonly path: string }[]): readonly string[] =>
    inputs.flatMap(({ path }) => codes.get(path) ?? []);
  return {
    xtriage: [{ metrics: { resolution: 1.6, no_twinning_suspected: true } }],
    model_vs_data: [{ metrics: { r_work: 0.36, r_free: 0.386 } }],
    refine: ({ inputs, strategy }, cycle) => {
      const contained = codesIn(inputs.filter(({ slot }) => slot === 'model'));
      const newest = numbersOf(contained.at(-1) ?? '');
      const value = newest?.refined ?? plain[Math.min(plainRuns++, plain.length - 1)] ?? 0.3;
      const stem = `/work/c${cycle}/${String(strategy.output_prefix)}`;
      return {
        metrics: { r_free: value, r_work: value - 0.02 },
        outputs: [
          model(`${stem}_001.pdb`, contained),
          dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, `${stem}_001.mtz`),
          dataFile({}, `${stem}_data.mtz`),
        ],
      };
    },
    real_space_refine: ({ inputs, strategy }, cycle) => {
      const contained = codesIn(inputs.filter(({ slot }) => slot === 'model'));
      const path = `/work/c${cycle}/${String(strategy.output_prefix)}_real_space_refined_000.pdb`;
      return {
        metrics: { map_cc: numbersOf(contained.at(-1) ?? '')?.refined ?? 0.8 },
        outputs: [model(path, contained)],
      };
    },
    elbow: ({ strategy }, cycle) => {
      const name = String(strategy.output_name);
      if (withoutRestraints.includes(name)) return { fails: `Sorry: no restraints could be made of ${name}` };
      const coordinates = modelFile(`/work/c${cycle}/${name}.pdb`, { polymerResidues: 0, ligandCodes: [name] });
      return { outputs: [{ ...dictionaryFile(name), path: `/work/c${cycle}/${name}.cif` }, coordinates] };
    },
    ligandfit: ({ inputs }, cycle) => {
      fitted = /(\w+)\.cif$/.exec(inputs.find(({ slot }) => slot === 'ligand')?.path ?? '')?.[1] ?? '';
      const output = modelFile(`/work/c${cycle}/ligand_fit_1.pdb`, { polymerResidues: 0, ligandCodes: [fitted] });
      codes.set(output.path, [fitted]);
      return { metrics: numbersOf(fitted)?.fit ?? {}, outputs: [output] };
    },
    pdbtools: ({ inputs }, cycle) => {
      const stem = /([^/]+)\.pdb$/.exec(inputs[0]?.path ?? '')?.[1] ?? '';
      return { outputs: [model(`/work/c${cycle}/${stem}_with_ligand.pdb`, codesIn(inputs))] };
    },
    polder: () => ({ metrics: numbersOf(fitted)?.omit ?? {} }),
  };
};
