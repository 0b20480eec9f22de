import type { SequenceFacts, SessionFile, UnitCell } from '@fleet/contracts/sessions';
import { nucleicAcidsOf, plainGroup, sequenceContent } from '@fleet/files';
import { metricFact, problemWithValue, type PlacementRules, type FactSheet } from '@fleet/knowledge-model';
import { isNearCell, sameToPrograms } from '@fleet/symmetry';
import type { FilesView } from '../workflow-input';

/** Phaser accepts more, but a larger number always came from a wrong estimate of the contents (reference: 1 to 30). */
const maxCopies = 30;
/** Relative difference of an edge or an angle above which two cells count as different crystal forms. */
const cellTolerance = 0.05;
/** Å; models without a real cell have 1 1 1 90 90 90. */
const smallestEdge = 2;

const searchModelCategories = ['processed_predicted', 'search_model', 'model'];

const firstOf = (files: FilesView, categories: readonly string[]): SessionFile | undefined =>
  categories.map((category) => files.byCategory.get(category)?.[0]).find((file) => file !== undefined);

const differs = (one: UnitCell, other: UnitCell): boolean =>
  one.some((length, index) => Math.abs(length - (other[index] ?? length)) > cellTolerance * length);

const isReal = (cell: UnitCell): boolean => cell.slice(0, 3).every((edge) => edge > smallestEdge);

interface Crystal {
  readonly cell: UnitCell;
  readonly group: string | undefined;
}

/** Cell and space group of the data and of the model; undefined if one has no cell. */
const crystalsOf = (files: FilesView): readonly [Crystal, Crystal] | undefined => {
  const data = firstOf(files, ['original_data_mtz', 'data_mtz']);
  const model = files.best.get('model')?.file ?? firstOf(files, ['model']);
  const [one, other] = [data, model].map((file): Crystal | undefined => {
    const { cell, spaceGroup } = file?.facts ?? {};
    return cell && isReal(cell) ? { cell, group: spaceGroup && plainGroup(spaceGroup) } : undefined;
  });
  return one && other && [one, other];
};

/**
 * Whether data and model come from different crystal forms, or from the same one with cells too different for programs to compare them
 * (`isomorphous`, with the cell of the data).
 */
const addCellMismatch = (sheet: FactSheet, files: FilesView): void => {
  const crystals = crystalsOf(files);
  if (crystals === undefined) return;
  const [data, model] = crystals;
  sheet.cell_mismatch = differs(data.cell, model.cell);
  if (sheet.cell_mismatch || data.group === undefined || data.group !== model.group) return;
  sheet.isomorphous = !isNearCell(data.cell, model.cell, sameToPrograms);
  sheet.data_cell = data.cell.join(' ');
};

/** The space group of the placement if it differs from that of the submitted data. Refined data no longer show the difference. */
const addChangedSpaceGroup = (sheet: FactSheet, files: FilesView, { programs }: PlacementRules): void => {
  const found = sheet[metricFact(programs.search, 'space_group')];
  const submitted = files.byCategory.get('data_mtz')?.find(({ cycle }) => cycle === 0)?.facts.spaceGroup;
  if (typeof found !== 'string' || problemWithValue({ type: 'space_group' }, found.trim()) !== undefined) return;
  if (submitted === undefined || plainGroup(found) === plainGroup(submitted)) return;
  sheet.solved_space_group = found.trim();
  sheet.submitted_space_group = submitted;
};

/**
 * Molecular replacement decides between the space groups of a point group (a screw axis, the hand). Later programs must use the group of the
 * solution, whatever the data file states. Data that a refinement wrote already state it.
 */
const addFoundSpaceGroup = (sheet: FactSheet, files: FilesView, { programs }: PlacementRules): void => {
  const found = sheet[metricFact(programs.search, 'space_group')];
  const data = files.lockedFreeFlags ?? firstOf(files, ['original_data_mtz', 'data_mtz']);
  const spaceGroup = data?.facts.spaceGroup;
  // a log without the group may say so in words
  if (typeof found !== 'string' || problemWithValue({ type: 'space_group' }, found.trim()) !== undefined) return;
  if (spaceGroup === undefined || plainGroup(found) === plainGroup(spaceGroup)) return;
  sheet.found_space_group = found.trim();
};

/** All sequence files together. */
const sequenceOf = ({ byCategory }: FilesView): SequenceFacts | undefined =>
  sequenceContent(byCategory.get('sequence') ?? []).facts;

const residuesInAsymmetricUnit = (
  sheet: FactSheet,
  files: FilesView,
  { programs }: PlacementRules,
): number | undefined => {
  const copies = sheet[metricFact(programs.analysis, 'n_copies')];
  const sequence = sequenceOf(files)?.residues;
  if (typeof copies === 'number' && sequence !== undefined) return copies * sequence;
  const residues = sheet[metricFact(programs.analysis, 'n_residues')];
  return typeof residues === 'number' ? residues : undefined;
};

/** The size is unknown if the file could not be read: only its category is known. */
const residuesOf = (file: SessionFile | undefined): number | undefined =>
  file?.facts.assumed === true ? undefined : file?.facts.model?.polymerResidues;

/** Share of the asymmetric unit that the best model covers: half a complex cannot fit its data well. */
const addModelShare = (sheet: FactSheet, files: FilesView, rules: PlacementRules): void => {
  const held = residuesOf(files.best.get('model')?.file ?? firstOf(files, ['model']));
  const contents = residuesInAsymmetricUnit(sheet, files, rules);
  sheet.model_residues = held;
  sheet.asu_residues = contents;
  if (held !== undefined && contents !== undefined && contents > 0) sheet.model_share = held / contents;
};

/**
 * Copies of the sequence file in the asymmetric unit (xtriage), times the equal chains of one copy: a search model represents at least one
 * chain. A trimmed one cannot have more copies than the whole chain.
 */
const maxBySequence = (sheet: FactSheet, files: FilesView, { programs }: PlacementRules): number => {
  const sets = sheet[metricFact(programs.analysis, 'n_copies')];
  const sequence = sequenceOf(files);
  if (typeof sets !== 'number') return Infinity;
  return sets * Math.max(1, Math.floor((sequence?.chains ?? 1) / (sequence?.distinct ?? 1)));
};

/** The contents of the asymmetric unit divided by the residues of the search models, rounded. */
const maxBySize = (
  sheet: FactSheet,
  files: FilesView,
  searched: readonly SessionFile[],
  rules: PlacementRules,
): number => {
  const contents = residuesInAsymmetricUnit(sheet, files, rules);
  const own = searched.reduce((sum, file) => sum + (residuesOf(file) ?? 0), 0);
  return contents === undefined || own === 0 ? Infinity : Math.round(contents / own);
};

/** How many copies of the search model (of each of several) to place: by its size, and at most as many as the sequence has. */
const addSearchCopies = (
  sheet: FactSheet,
  files: FilesView,
  wanted: number | undefined,
  rules: PlacementRules,
): void => {
  sheet.search_copies = wanted;
  const searched = files.planned?.searched ?? [firstOf(files, searchModelCategories) ?? []].flat();
  if (wanted !== undefined || searched.length === 0) return;
  const copies = Math.min(maxBySequence(sheet, files, rules), maxBySize(sheet, files, searched, rules));
  if (Number.isFinite(copies)) sheet.search_copies = Math.min(maxCopies, Math.max(1, copies));
};

/** A model of unknown composition may contain nucleic acid. */
const lacksNucleicAcid = (model: SessionFile | undefined): boolean =>
  residuesOf(model) !== undefined && model?.facts.model?.nucleicResidues === undefined;

/** DNA and RNA: what the sequence contains, and whether the best model contains it. */
const addNucleicAcids = (sheet: FactSheet, files: FilesView): void => {
  const { named, protein } = nucleicAcidsOf(files.byCategory.get('sequence') ?? []) ?? { named: '', protein: true };
  sheet.protein_sequence = protein;
  if (named !== '' && lacksNucleicAcid(files.best.get('model')?.file)) sheet.nucleic_missing = named;
};

/**
 * Facts about placement from the files: `cell_mismatch`, `isomorphous`, `search_copies`, `model_share`, `found_space_group`, and DNA and RNA.
 */
export const addPlacementFacts = (
  sheet: FactSheet,
  files: FilesView,
  copies: number | undefined,
  rules: PlacementRules,
): void => {
  addCellMismatch(sheet, files);
  addSearchCopies(sheet, files, copies, rules);
  addModelShare(sheet, files, rules);
  addFoundSpaceGroup(sheet, files, rules);
  addChangedSpaceGroup(sheet, files, rules);
  addNucleicAcids(sheet, files);
};
