import { settingDefinitions } from '@fleet/contracts/service';
import { shortName } from '@fleet/contracts/sessions';
import type { FileCategory } from './file-knowledge';
import type { MetricDefinition } from './metric-knowledge';
import type { ProgramKnowledge } from './program-knowledge';

/**
 * Facts about the session as a whole, with descriptions. Lengths in Å, R factors and correlations as fractions. For the families see
 * `factNames`.
 */
const sessionFacts = {
  experiment: 'xray or cryoem',
  cycles: 'number of analysed cycles',
  last_program: 'program of the last analysed cycle',
  models_missing: 'names of the models that the last runs made and that are gone, with their cycles; absent for none',
  advice_changed: 'the submitter gave new advice, and no cycle has followed it yet',
  last_failed: 'the last analysed cycle failed by its own fault',
  resolution: 'Å: the setting, else what a program found that measures the data, else what the data file says',
  poor_limit:
    'value of the target metric beyond which a result is far from what its resolution promises; never stricter than the target',
  model_residues: 'polymer residues of the best model',
  asu_residues: 'residues of the asymmetric unit: the sequence times its copies, else by the Matthews coefficient',
  model_share: 'fraction of the asymmetric unit that the best model holds',
  protein_sequence: 'false where every chain of the sequence is DNA or RNA',
  nucleic_missing: 'the DNA or RNA of the sequence, in words, where the best model holds none; absent otherwise',
  target: 'value of the target metric that is good enough at this resolution, or the setting',
  free_flags_locked: 'a reflection file with R-free flags is locked for the session',
  free_flags_lost: 'name of the reflection data whose free flags were locked, where that file is gone',
  free_set_changed:
    'cycle of the first refinement that was given or has left other free reflections than the first one, by content; 0 for none',
  free_set_changed_by: 'program of that refinement',
  free_set_known_to_model:
    'the model that was submitted in its place, or searched for and of the same crystal form, may have been refined against the free reflections: "shaken" and "drawn" (the first refinement drew them from all data, and shook the model before or did not), "used" (R-free began at R-work); absent otherwise',
  search_model_same_crystal:
    'a submitted model that molecular replacement has placed comes from a crystal with the cell and the point group of the data; absent otherwise',
  free_set_start: 'R-free where the first refinement began, of "used"',
  free_set_start_work: 'R-work there',
  cell_mismatch: 'the unit cells of data and model differ by more than 5 %',
  isomorphous:
    'data and model have the same space group and cells within 5 %, but not within the 1 % to which programs compare them',
  data_cell: 'the cell of the data, where the model is of the same crystal form',
  solved_space_group: 'space group of the placement where the submitted data say another one',
  submitted_space_group: 'the space group that the submitted data say, where the placement has another one',
  found_space_group: 'space group of the placed model where the data file says another one',
  search_copies: 'how often the search model (each of several components) has to be placed',
  search_components: 'how many components the next search has, each with a file of its own',
  search_groups: 'which space groups the next search tries beside that of the data: hand or all; absent for none',
  predictions_left: 'parts of the crystal, of several, for which there is only a prediction that is not processed yet',
  search_tried: 'how many searches by molecular replacement have come to an end, whatever they found',
  search_again: 'no placement stands, and there is another way to search',
  search_exhausted: 'every way to search was tried, and no placement stands',
  search_last: 'the last search that came to an end, with its outcome',
  search_way: 'the next search in words, where it is not the first',
  search_report: 'every search that was made, and its outcome, where one of them did not stand',
  components_unplaced: 'names of the components that the standing placement lacks',
  placed_in_part: 'which components the standing placement has, with its TFZ, and which it lacks, in residues',
  other_hand: 'the space group of the data has a mirror image',
  model_waters: 'waters of the best model; absent where the file is not known',
  model_ligands: 'components of the best model that are neither polymer, water nor ions',
  ligand_code:
    'first component of the dictionaries, else of the coordinates, that neither the model holds nor a fit has placed',
  ligand_codes_missing: 'number of such components of dictionaries',
  fitted_ligand_code: 'component of the last successful ligand fit',
  ligand_copy_missing:
    'a fitted ligand stands, and the asymmetric unit holds more copies of the molecule than were fitted of it',
  fitted_ligand_chain: 'chain of the ligand that was fitted last, where the model holds other copies of it',
  ligand_to_merge: 'the last fit has not been merged, and nothing speaks against it',
  ligand_unconfirmed: 'a merged ligand has no omit map yet, and nothing speaks against it',
  ligand_report: 'sentences about every fitted ligand: what is in the model, what is not, and by which numbers',
  restraints_due:
    'component of which restraints are made next: a ligand that was submitted without a file, or one that refinement does not know',
  restraints_code: 'its code in the Chemical Component Dictionary; absent where it has SMILES',
  restraints_smiles_file: 'name of the file with its SMILES, which the executor writes; absent where it has a code',
  restraints_in_model: 'the model holds it already, so that refinement needs the restraints',
  restraints_failed: 'components of which restraints could not be made',
  ligands_without_restraints: 'ligands that were submitted as a code or SMILES and have no restraints yet',
  extra_maps: 'maps were submitted beside reflection data and are not used',
  half_maps_unclear: 'there are more than two half maps, and it is not known which two belong together',
  anomalous_arrays: 'the reflection data hold anomalous pairs',
  repeated_failures: 'how often the commonest failure (program and first error line) stands in the last ten cycles',
  experiment_changed:
    'the data of the experiment that the session began with are gone, those of the other one are here',
  'refinement.runs': 'refinements, those inside a full run of a program that could have stopped early among them',
  'refinement.earlier': 'those of them that ran before the advice in force came',
  'refinement.last': 'cycle of the last of them, 0 for none',
  'refinement.value': 'R-free (X-ray) or map correlation (cryo-EM) of the last of them: the value of record',
  'refinement.best':
    "the best such value since the model became another one, the submitted model's own included; rules look at it, for the best model is what stands",
  'refinement.reached': 'the same without the submitted model: what refinement came to',
  'submitted.value': 'R-free of the submitted model as it stands, where it can be compared with what was made of it',
  refinement_unjudged: 'the last refinement was measured against a density-modified map only, which flatters',
  judged_map: 'name of the map that the correlation of the last refinement is with, where the session has several',
  judged_map_kind: 'its category: judging_map, half_map or density_modified_map',
  geometry_worse:
    'the best model has a geometry that is worse than where its refinement began, beyond what is acceptable; or poor, where no log says how it began',
  geometry_report: 'what of its geometry is so, in words; absent for nothing',
  geometry_outside: 'what of its geometry is beyond acceptable, however it began, in words; absent for nothing',
  submitted_is_best: 'there were refinements, and the submitted model fits better than all that came of it',
  'result.fit': 'how the best model fits: the metric of the trend as it was measured on it',
  'result.r_work': 'R-work of the best model, as it was measured on it',
  'refinement.worse': 'the last refinement ended significantly worse than the best one',
  'placement.last': 'cycle of the last success of a program that puts a model into its place, 0 for none',
  anisotropic_refinements: 'refinements with anisotropic B values since the model was placed',
  anisotropic_refused: 'the submitter wants no anisotropic B values, or not yet',
  water_refinements: 'refinements that added waters since the model was placed',
  waters_refused: 'the submitter wants no waters, or not yet',
  'directive.after_program_done':
    'the program after which the submitter wants to stop has succeeded since that was said',
  'directive.after_program': 'that program',
  'directive.after_cycle': 'cycle after which the submitter wants to stop',
  'directive.skip_validation': 'the submitter wants no validation at the end',
  'directive.r_free_target': 'R-free at which the submitter wants to stop',
  'directive.map_cc_target': 'map correlation at which the submitter wants to stop',
  'directive.use_experimental_phasing': 'the submitter prefers experimental phasing',
  'directive.use_molecular_replacement': 'the submitter prefers molecular replacement',
  'directive.use_mr_sad': 'molecular replacement first, then phasing from the placed model',
  'directive.model_is_placed': 'the submitter says that the model is in its place',
  'trend.runs': 'length of the series since the model last changed',
  'trend.value': 'its last value',
  'trend.best': 'its best value',
  'trend.gain': 'last improvement; negative when it got worse',
  'trend.flat_runs': 'how many of the last improvements in a row were not significant',
  step: 'detected step (stop rules only)',
  menu_empty: 'no program can run (stop rules only)',
} as const;

/** Facts about one placement, besides the metrics of its search, with descriptions. */
export const placementFacts = {
  placed: 'the search placed something',
  rebuild_left: 'it could be rebuilt, and has not been',
} as const;

/** Facts about one fitted ligand, besides the metrics of its fit and of its omit map, with descriptions. */
export const ligandFacts = {
  code: 'its component',
  ligand_share: 'share of its atoms that were placed and lie in density',
  merged: 'it was merged into the model',
  r_free_before: 'R-free of the refinement before the merge',
  r_free_gain: 'by how much R-free fell with it; negative when it rose',
  map_cc_before: 'map correlation of the refinement before the merge',
  map_cc_gain: 'by how much the map correlation grew with it; negative when it fell',
  kept: 'file that holds it, with its cycle',
  refuted: 'a rule speaks against it',
  against: 'what that rule says',
  evidence: 'what the rules in its favour say',
} as const;

const programFamilies = [
  'runs',
  'fails',
  'tried',
  'last',
  'last_error',
  'installed',
  'usable',
  'provider',
  'set_aside',
  'skipped',
  'exhausted',
] as const;
/** For programs whose runs may stop early. */
const fullFamilies = ['full', 'full_last'] as const;
const inputFamilies = [
  'files',
  'arrays',
  'labels',
  'intensity_labels',
  'anomalous_labels',
  'free_flags',
  'free_columns',
  'free_label',
  'keeps_free_set',
  'stem',
] as const;

/**
 * Every fact that a rule may name:
 * `setting.<setting>`, `files.<category>` (how many),
 * `runs.<program>` and `fails.<program>` (how often it succeeded, failed), `tried.<program>`, `last.<program>` (cycle of the last success, 0 for
 * none), `full.<program>` and `full_last.<program>` (how often it succeeded without stopping early, and the cycle of the last time),
 * `set_aside.<program>` (how often it succeeded on a model whose ligand has no evidence; not among its runs), `last_error.<program>` (id of the known error of its last failure, `unlisted` where the text is not known), `skipped.<program>` (skipped at the submitter's request), `exhausted.<program>` (it never failed, but nothing is left for it to do that it has not done), `installed.<program>`, `usable.<program>` (installed and not blocked by its failures), `provider.<program>`,
 * `done.<flag>`, `done_at.<flag>` (cycle, 0 for none), and `<program>.<metric>` (last value of a successful run).
 */
export const factNames = (knowledge: {
  readonly programs: readonly ProgramKnowledge[];
  readonly fileCategories: readonly FileCategory[];
  readonly metrics: Readonly<Record<string, MetricDefinition>>;
}): ReadonlySet<string> => {
  const names = new Set<string>(Object.keys(sessionFacts));
  for (const setting of Object.keys(settingDefinitions)) names.add(`setting.${setting}`);
  for (const category of knowledge.fileCategories) names.add(`files.${category.name}`);
  const metrics = Object.keys(knowledge.metrics);
  for (const program of knowledge.programs) {
    const short = shortName(program.name);
    const families = program.stops_early === undefined ? programFamilies : [...programFamilies, ...fullFamilies];
    for (const family of families) names.add(`${family}.${short}`);
    names.add(`done.${program.done.flag}`).add(`done_at.${program.done.flag}`);
    const own = program.metrics.flatMap((pattern) => [pattern.metric, ...Object.keys(pattern.metrics ?? {})]);
    for (const metric of [...metrics, ...own]) names.add(`${short}.${metric}`);
  }
  return names;
};

/** Facts for a program's own rules about the files of its slots: `input.<slot>.labels` and others. */
export const inputFactNames = (program: ProgramKnowledge): readonly string[] =>
  program.inputs.flatMap(({ slot }) => inputFamilies.map((family) => `input.${slot}.${family}`));

type FactValue = number | boolean | string | undefined;

declare const made: unique symbol;
/** The name of a fact that the knowledge defines, checked when it was read: of a metric, or of a definition. */
export type KnowledgeFact = string & { readonly [made]: true };

type Family =
  (typeof programFamilies)[number] | (typeof fullFamilies)[number] | 'setting' | 'files' | 'done' | 'done_at';

/** Collects facts by existing names: a misspelt name does not compile. */
export type FactSheet = { -readonly [name in keyof typeof sessionFacts]?: FactValue } & {
  [name: `${Family}.${string}`]: FactValue;
} & { [name: KnowledgeFact]: FactValue };

/** `refine.r_free`: a metric of a program's last success. */
export const metricFact = (program: string, metric: string): KnowledgeFact =>
  `${shortName(program)}.${metric}` as KnowledgeFact;
