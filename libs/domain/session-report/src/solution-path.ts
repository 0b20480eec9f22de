import type { SolutionPath } from '@fleet/contracts/statistics';

/** The first that applies, as in `solutionPaths`. */
const pathOfProgram: readonly (readonly [program: string, path: SolutionPath])[] = [
  ['phenix.autosol', 'experimental_phasing'],
  ['phenix.predict_and_build', 'prediction'],
  ['phenix.phaser', 'molecular_replacement'],
  ['phenix.dock_in_map', 'docking'],
  ['phenix.map_to_model', 'map_building'],
  ['phenix.autobuild', 'refinement'],
  ['phenix.refine', 'refinement'],
  ['phenix.real_space_refine', 'refinement'],
];

/**
 * How a session came to its model.
 * @param programs that succeeded
 */
export const solutionPathOf = (programs: ReadonlySet<string>): SolutionPath =>
  pathOfProgram.find(([program]) => programs.has(program))?.[1] ?? 'none';
