import type { CycleRecord, ExperimentType, FileUse, SessionFile } from '@fleet/contracts/sessions';
import type { FileCategory } from '@fleet/knowledge-model';
import type { ScoredFile } from './best-files';
import type { CategorisedFiles } from './categorise';
import { isObservation } from './descendants';
import { emptyColumns } from './empty-columns';
import { isUnmerged, isUnscaled } from './file-order';
import { seriesOf } from './file-series';
import { freeColumns, freeSetFor, isFreeSetApart, otherCrystal } from './free-set-apart';
import { groupBy } from './group-by';
import { halfMapNotes, halfMapsOf } from './half-maps';
import { baseName } from './name-glob';
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
/** Descriptions of slots whose names are unclear. */
const slotWords: Readonly<Record<string, string>> = {
  free_set: 'R-free flags',
  judging_map: 'map for judging models',
  ligand_cif: 'ligand restraints',
  other: 'input',
  protein: 'model to join a ligand to',
};

const words = (name: string): string => slotWords[name] ?? name.replaceAll('_', ' ');
const listed = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => name.replace(/^phenix\./, '')).join(', ');

/** `as data by phenix.xtriage and phenix.refine; as model by …`. */
const usesText = (uses: readonly { readonly slot: string; readonly program: string }[]): string =>
  [...groupBy(uses, ({ slot }) => slot)]
    .map(([slot, all]) => `as ${words(slot)} by ${listed(all.map(({ program }) => program))}`)
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
      return `it counts more as ${words(other.stage)} than this one as ${words(own.stage)}`;
  }
  return undefined;
};

const categoryWords = (
  file: SessionFile,
  rival: SessionFile,
  choice: SlotChoice,
  { byCategory }: FileUsesInput,
): string | undefined => {
  const placeOf = (one: SessionFile): number =>
    choice.categories.findIndex((name) => byCategory.get(name)?.includes(one) === true);
  const [own, other] = [placeOf(file), placeOf(rival)];
  if (other < 0 || (own >= 0 && own <= other)) return undefined;
  return `${words(choice.categories[other] ?? '')} comes before ${words(choice.categories[own] ?? 'any other file')}`;
};

type Rule = (file: SessionFile, rival: SessionFile, choice: SlotChoice, input: FileUsesInput) => string | undefined;

/** Why another file takes precedence; the first rule that applies counts. */
const rules: readonly Rule[] = [
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
  () => 'the rules find the two equal, and the one that was given first counts',
];

/** The rule by which another file is used instead. */
const ruleOf = (...[file, rival, choice, input]: Parameters<Rule>): string =>
  rules.map((rule) => rule(file, rival, choice, input)).find((words) => words !== undefined) ?? '';

const freeSetWords = (file: SessionFile, { submitted }: FileUsesInput): string => {
  const data = submitted.filter(isObservation);
  if (data.length === 0) return 'it holds R-free flags alone, and there are no data to which they could belong';
  const reasons = data.map((one) => {
    const { freeFlag } = one.facts.mtz ?? {};
    const name = baseName(one.path);
    if (freeFlag !== undefined) return `${name} has R-free flags of its own (${freeFlag})`;
    const taken = freeSetFor(one, submitted);
    if (taken !== undefined) return `${baseName(taken.path)}, given before it, has the test set of ${name}`;
    return `those of ${name} are not known to be of the same crystal: ${otherCrystal(file, one) ?? 'its flags are not known'}`;
  });
  return `it holds R-free flags alone: ${reasons.join('; ')}`;
};

const emptyWords = ({ facts: { format, mtz } }: SessionFile): string =>
  mtz === undefined
    ? `its content (${format}) is nothing that a program here takes`
    : mtz.mapCoefficients.length > 0
      ? `its map coefficients are in another format than MTZ (${format}), and no program here takes them`
      : 'it holds no observations, R-free flags or map coefficients';

/** Why no program uses a file. */
const whyUnused = (file: SessionFile, input: FileUsesInput): string => {
  if (input.isExcluded(file.path)) return 'the directives exclude it (file_preferences.exclude)';
  if (isFreeSetApart(file)) return freeSetWords(file, input);
  const twin = sequenceContent(input.byCategory.get('sequence') ?? []).repeated.get(file);
  if (twin !== undefined) return `all its chains are in ${baseName(twin.path)}`;
  const choice = input.choices.find(({ candidates, selected }) => candidates.includes(file) && selected.length > 0);
  const rival = choice?.selected[0];
  if (choice !== undefined && rival !== undefined)
    return `${baseName(rival.path)} is used as ${words(choice.slot)} instead: ${ruleOf(file, rival, choice, input)}`;
  const category = categoryOf(file, input);
  if (category === undefined) return emptyWords(file);
  return `no program of ${experimentNames[input.experiment]} sessions takes it as ${words(category.name)} (${category.why})`;
};

/** How a file would be used: by its slots, or in turn after another one. */
const plannedText = (file: SessionFile, input: FileUsesInput): string | undefined => {
  const selected = input.choices.filter((choice) => choice.selected.includes(file));
  if (selected.length > 0) return usesText(selected);
  const later = input.choices.find(({ others, candidates }) => others !== undefined && candidates.includes(file));
  const rival = later?.selected[0];
  if (later === undefined || rival === undefined) return undefined;
  const text = `${usesText([later])}, after ${baseName(rival.path)}`;
  if (later.others === 'follow') return text;
  return isSearchModel(file, input) && !isSameSeries(file, rival)
    ? `${text}, where that is not found: ${ruleOf(file, rival, later, input)}`
    : undefined;
};

const columnNotes = ({ facts: { mtz } }: SessionFile): readonly string[] => {
  if (mtz === undefined) return [];
  const columns = freeColumns(mtz);
  const empty = emptyColumns(mtz).map(({ label }) => label);
  return [
    ...(empty.length === 0 ? [] : [`No data (empty, or one value everywhere), and not used: ${empty.join(', ')}.`]),
    ...(columns.length < 2
      ? []
      : [
          `It has several columns of R-free flags: ${columns.join(', ')}. Used: ${columns[0] ?? ''}. The rule: FreeR_flag (CCP4's name), else R-free-flags (PHENIX's), else the first.`,
        ]),
  ];
};

const flagNotes = (file: SessionFile, { submitted, ownFreeSet }: FileUsesInput): readonly string[] =>
  ownFreeSet.length > 0 && submitted.some((data) => freeSetFor(data, submitted) === file)
    ? [
        `${listed(ownFreeSet)} cannot read flags from a separate file. Unless a refinement has written data and flags into one file before, they draw another test set, and R-free is not independent of these flags any more. One MTZ file with data and flags avoids it.`,
      ]
    : [];

const unmergedNotes = (file: SessionFile): readonly string[] => {
  if (isUnscaled(file)) return ['The data are integrated, but not scaled: scale and merge them first.'];
  return isUnmerged(file) ? ['The data are unmerged: programs merge them when they read them.'] : [];
};

const notesOf = (file: SessionFile, input: FileUsesInput): readonly string[] => [
  ...(file.facts.notes ?? []),
  ...halfMapNotes(file, halfMapsOf(input.all)),
  ...unmergedNotes(file),
  ...columnNotes(file),
  ...flagNotes(file, input),
];

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
    const notes = used ? notesOf(file, input) : (file.facts.notes ?? []);
    return {
      path: file.path,
      used,
      text: used || planned === undefined ? text : `the session ended before a program took it: ${text}`,
      ...(notes.length > 0 && { notes }),
    };
  });
