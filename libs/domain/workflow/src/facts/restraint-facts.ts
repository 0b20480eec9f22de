import { componentOf, notLigands, type RequestedLigand } from '@fleet/contracts/sessions';
import type { FactSheet, RuleBook } from '@fleet/knowledge-model';
import { knownErrorOf } from '../recovery';
import { steeringOf, succeeded, type AnalysedCycle, type FilesView, type WorkflowInput } from '../workflow-input';
import { componentsIn, isShortened } from './ligand-facts';

/** Component for which a run made restraints: its files have that name. */
const madeIn = ({ decision }: AnalysedCycle): string => String(decision.strategy['output_name'] ?? '');

/** Whether a run decides the outcome of a component; not if the session's client wants it retried. */
const counts = ({ cycle, decision }: AnalysedCycle, input: WorkflowInput): boolean => {
  const { retry } = steeringOf(input);
  return retry?.program !== decision.program || cycle > retry.after;
};

/**
 * Components for which the last refinement had no restraints: those of its model that its error lines name, otherwise all. Polymers and ions
 * are in every library.
 */
const unknownToRefinement = (
  cycles: readonly AnalysedCycle[],
  files: FilesView,
  { ligandEvidence, errors }: RuleBook,
): readonly string[] => {
  const last = cycles.findLast(({ decision }) => ligandEvidence.programs.refinement.includes(decision.program));
  if (last === undefined || succeeded(last)) return [];
  if (knownErrorOf(last.decision.program, last.result, errors)?.id !== ligandEvidence.no_restraints) return [];
  const model = last.decision.inputs.find(({ slot }) => slot === 'model')?.path;
  const held = componentsIn(files.all.find(({ path }) => path === model)).filter(
    (code) => !notLigands.has(code) && !isShortened(code),
  );
  const words = new Set([...last.result.errorLines, last.result.summary].join(' ').match(/(?<!~)\b[A-Z0-9]{1,5}\b/g));
  const named = held.filter((code) => words.has(code));
  return named.length > 0 ? named : held;
};

const joined = (names: readonly string[]): string | undefined =>
  names.length < 2 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

/** `restraints_due` and its family: ligands that were submitted without a file, and components that refinement does not know. */
export const addRestraintFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  files: FilesView,
  input: WorkflowInput,
): void => {
  const { ruleBook, session } = input;
  const { restraints } = ruleBook.ligandEvidence.programs;
  const known = new Set(
    (files.byCategory.get('ligand_cif') ?? []).flatMap((file) => file.facts.restraints?.codes ?? []),
  );
  const isKnown = (ligand: RequestedLigand): boolean => known.has(componentOf(ligand));
  const runs = cycles.filter((cycle) => cycle.decision.program === restraints && counts(cycle, input));
  // Once each: the same code or SMILES has the same result, whatever else has changed.
  const triedComponents = new Set(runs.map(madeIn));
  const inModel = new Set(componentsIn(files.best.get('model')?.file));
  const requested = session.request.ligands ?? [];
  const isInModel = (ligand: RequestedLigand): boolean => inModel.has(componentOf(ligand));
  const unknown = unknownToRefinement(cycles, files, ruleBook).map(
    (code): RequestedLigand => requested.find((ligand) => componentOf(ligand) === code) ?? { code },
  );
  const wanted = [...unknown, ...requested.filter(isInModel), ...requested.filter((one) => !isInModel(one))];
  const missing = wanted.filter((ligand) => !isKnown(ligand));
  const due = missing.find((ligand) => !triedComponents.has(componentOf(ligand)));
  if (due !== undefined) {
    const component = componentOf(due);
    sheet.restraints_due = component;
    sheet.restraints_code = due.code;
    sheet.restraints_smiles_file = due.smiles === undefined ? undefined : `${component}.smi`;
    sheet.restraints_in_model = unknown.includes(due) || isInModel(due);
  }
  sheet.restraints_failed = joined([...triedComponents].filter((name) => !known.has(name)));
  sheet.ligands_without_restraints = joined(requested.filter((one) => !isKnown(one)).map(componentOf));
};
