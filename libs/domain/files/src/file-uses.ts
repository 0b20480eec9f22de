import type { CycleRecord, ExperimentType, FileUse, SessionFile } from '@fleet/contracts/sessions';
import type { FileCategory } from '@fleet/knowledge-model';
import type { ScoredFile } from './best-files';
import type { CategorisedFiles } from './categorise';
import { isObservation } from './descendants';
import { fileNotes } from './file-notes';
import { isUnmerged } from './file-order';
import { isSameContent } from './content-digests';
import { seriesOf } from './file-series';
import { freeSetFor, isFreeSetApart, otherCrystal } from './free-set-apart';
import { groupBy } from './group-by';
import { halfMapsOf } from './half-maps';
import { baseName } from './name-glob';
import { programNames } from './program-names';
import { sequenceContent } from './sequence-content';

/** The submitted files that a slot of a program would use, and its candidates. */
export interface SlotChoice {
  readonly program: string;
  readonly slot: string;
  /** The slot's categories, the first one first. */
  readonly categories: readonly string[];
  readonly selected: readonly SessionFile[];
  /** All files that it accepts, including the selected ones. */
  readonly candidates: readonly SessionFile[];
  /** Later uses of the other candidates: they are used as well (ligands), or instead (search models, if a search fails). */
  readonly others?: 'follow' | 'replace';
}

/** Everything that the uses of submitted files depend on. */
export interface FileUsesInput {
  readonly submitted: readonly SessionFile[];
  /** All files of the session, as they were categorised. */
  readonly all: readonly SessionFile[];
  readonly experiment: ExperimentType;
  readonly categories: readonly FileCategory[];
  readonly byCategory: CategorisedFiles;
  readonly ranked: ReadonlyMap<string, readonly ScoredFile[]>;
  /** Of the programs of the experiment, in their usual order. */
  readonly choices: readonly SlotChoice[];
  /** Programs that generate a test set themselves for data without one. */
  readonly ownFreeSet: readonly string[];
  readonly isExcluded: (path: string) => boolean;
  /** Executed cycles; their inputs count as used. */
  readonly cycles: readonly CycleRecord[];
  readonly isEnded: boolean;
}

const experimentNames = { xray: 'X-ray', cryoem: 'cryo-EM' } as const;
/** Descriptions of slots and categories whose names are unclear. */
const clearWords: Readonly<Record<string, string>> = {
  free_set: 'R-free flags',
  judging_map: 'map for judging models',
  ligand_cif: 'ligand restraints',
  map_coeffs: 'map coefficients',
  ncs_spec: 'NCS file',
  other: 'input',
  protein: 'model to join a ligand to',
  unclassified_pdb: 'model of unknown origin',
};

/** Names of categories may end with a format. */
const words = (name: string): string => {
  const bare = name.replace(/_(mtz|pdb|cif)$/, '');
  return clearWords[name] ?? clearWords[bare] ?? bare.replaceAll('_', ' ');
};

/** `as data by phenix.xtriage and phenix.refine; as model by …`. */
const usesText = (uses: readonly { readonly slot: string; readonly program: string }[]): string =>
  [...groupBy(uses, ({ slot }) => slot)]
    .map(([slot, all]) => `as ${words(slot)} by ${programNames(all.map(({ program }) => program))}`)
    .join('; ');

const runsOf = ({ path }: SessionFile, { cycles }: FileUsesInput) =>
  cycles.flatMap(({ cycle, decision }) =>
    decision.inputs
      .filter((input) => input.path === path)
      .map(({ slot }) => ({ slot, program: `${decision.program} (cycle ${String(cycle)})` })),
  );

/** The most specific category of a file: a later one in the knowledge, below the general ones. */
const categoryOf = (file: SessionFile, { categories, byCategory }: FileUsesInput): FileCategory | undefined => {
  const own = categories.filter(({ name }) => byCategory.get(name)?.includes(file) === true);
  return own.find(({ name }) => !own.some(({ parents }) => parents.includes(name)));
};

/** Alternatives that a search tries one after another; of placed models only the best one is used. */
const isSearchModel = (file: SessionFile, { byCategory }: FileUsesInput): boolean =>
  ['search_model', 'unclassified_pdb'].some((name) => byCategory.get(name)?.includes(file) === true);

const isSameSeries = (one: SessionFile, other: SessionFile): boolean =>
  seriesOf(one) !== undefined && seriesOf(one)?.name === seriesOf(other)?.name;

const stageWords = (file: SessionFile, rival: SessionFile, { ranked }: FileUsesInput): string | undefined => {
  for (const scored of ranked.values()) {
    const [own, other] = [file, rival].map((one) => scored.find((entry) => entry.file === one));
    if (own !== undefined && other !== undefined && other.score > own.score)
      return `${words(other.stage)} comes before ${words(own.stage)}`;
  }
  return undefined;
};

const categoryWords = (
  file: SessionFile,
  rival: SessionFile,
  choice: SlotChoice,
  { byCategory }: FileUsesInput,
): string | undefined => {
  const rankOf = (one: SessionFile): number =>
    choice.categories.findIndex((name) => byCategory.get(name)?.includes(one) === true);
  const [own, other] = [rankOf(file), rankOf(rival)];
  if (other < 0 || (own >= 0 && own <= other)) return undefined;
  return `${words(choice.categories[other] ?? '')} comes before ${words(choice.categories[own] ?? 'any other file')}`;
};

type Rule = (file: SessionFile, rival: SessionFile, choice: SlotChoice, input: FileUsesInput) => string | undefined;

/** Why another file takes precedence; the first rule that applies counts. */
const rules: readonly Rule[] = [
  (file, rival) => (isSameContent(file, rival) ? 'the two have the same content' : undefined),
  (file, rival) => (isUnmerged(file) && !isUnmerged(rival) ? 'merged data come before unmerged data' : undefined),
  (file, rival) => (isSameSeries(file, rival) ? 'the highest number of a series is the newest' : undefined),
  ({ facts: own }, { facts: other }) =>
    own.mtz !== undefined && own.mtz.freeFlag === undefined && other.mtz?.freeFlag !== undefined
      ? 'it has R-free flags'
      : undefined,
  (file, rival, _choice, input) => stageWords(file, rival, input),
  categoryWords,
  ({ facts: own }, { facts: other }) =>
    own.format === 'mmcif-model' && other.format === 'pdb' ? 'a PDB file comes before mmCIF' : undefined,
  () => 'no rule prefers either, and the first one given counts',
];

/** The rule by which another file is used instead. */
const ruleOf = (...[file, rival, choice, input]: Parameters<Rule>): string =>
  rules.map((rule) => rule(file, rival, choice, input)).find((words) => words !== undefined) ?? '';

const freeSetWords = (file: SessionFile, { submitted }: FileUsesInput): string => {
  const data = submitted.filter(isObservation);
  if (data.length === 0) return 'it holds only R-free flags, and there are no data to which they could belong';
  const reasons = data.map((one) => {
    const { freeFlag } = one.facts.mtz ?? {};
    const name = baseName(one.path);
    if (freeFlag !== undefined) return `${name} has R-free flags of its own (${freeFlag})`;
    const taken = freeSetFor(one, submitted);
    if (taken !== undefined) return `${baseName(taken.path)}, given before it, has the test set of ${name}`;
    const other = otherCrystal(file, one);
    return other === undefined
      ? `whether ${name} has flags is not known`
      : `they do not belong to ${name}, because ${other}`;
  });
  return `it holds only R-free flags: ${reasons.join('; ')}`;
};

const emptyWords = ({ facts: { format, mtz, model, notes = [] } }: SessionFile): string => {
  if (model !== undefined)
    return 'it holds neither polymer nor ligand, only waters or single atoms (ions, heavy-atom sites)';
  if (mtz !== undefined && mtz.mapCoefficients.length > 0)
    return `its map coefficients are in another format than MTZ (${format}), and no program here takes them`;
  if (notes.length > 0) return 'no program here can use it';
  return mtz === undefined
    ? 'its content is in no format that is known here'
    : 'it holds no observations, R-free flags or map coefficients';
};

const isLoneHalf = (file: SessionFile, { all }: FileUsesInput): boolean => {
  const { halves, partners } = halfMapsOf(all);
  return halves.has(file) && !partners.has(file);
};

/** Why no program uses a file. */
const whyUnused = (file: SessionFile, input: FileUsesInput): string => {
  if (input.isExcluded(file.path)) return 'the directives exclude it (file_preferences.exclude)';
  if (isFreeSetApart(file)) return freeSetWords(file, input);
  const twin = sequenceContent(input.byCategory.get('sequence') ?? []).repeated.get(file);
  if (twin !== undefined) return `all its chains are in ${baseName(twin.path)}`;
  if (isLoneHalf(file, input))
    return 'its other half is missing, and no program here uses one half map beside a full map';
  const choice = input.choices.find(({ candidates, selected }) => candidates.includes(file) && selected.length > 0);
  const rival = choice?.selected[0];
  if (choice !== undefined && rival !== undefined)
    return `${baseName(rival.path)} is used as ${words(choice.slot)} instead: ${ruleOf(file, rival, choice, input)}`;
  const category = categoryOf(file, input);
  if (category === undefined) return emptyWords(file);
  return `no ${experimentNames[input.experiment]} program here uses a file classified as ${words(category.name)} (${category.why})`;
};

/** How a file would be used: by its slots, or in turn after another one. */
const plannedText = (file: SessionFile, input: FileUsesInput): string | undefined => {
  const selected = input.choices.filter((choice) => choice.selected.includes(file));
  if (selected.length > 0) return usesText(selected);
  const later = input.choices.find(({ others, candidates }) => others !== undefined && candidates.includes(file));
  const rival = later?.selected[0];
  if (later === undefined || rival === undefined) return undefined;
  const [text, other] = [usesText([later]), baseName(rival.path)];
  if (later.others === 'follow') return `${text}, after ${other}`;
  return isSearchModel(file, input) && !isSameSeries(file, rival) && !isSameContent(file, rival)
    ? `${text} if the search with ${other} fails (${other} comes first: ${ruleOf(file, rival, later, input)})`
    : undefined;
};

/**
 * How each submitted file is used, or why it is not. Executed programs count first; for the others the current selection of the experiment's
 * programs is used. If another file is used instead, the rule is named.
 */
export const fileUses = (input: FileUsesInput): readonly FileUse[] =>
  input.submitted.map((file) => {
    const runs = runsOf(file, input);
    const planned = runs.length > 0 ? usesText(runs) : plannedText(file, input);
    const used = planned !== undefined && (runs.length > 0 || !input.isEnded);
    const text = planned ?? whyUnused(file, input);
    const notes = used ? fileNotes(file, input) : (file.facts.notes ?? []);
    return {
      path: file.path,
      used,
      text: used || planned === undefined ? text : `the session ended before a program took it: ${text}`,
      ...(notes.length > 0 && { notes }),
    };
  });
