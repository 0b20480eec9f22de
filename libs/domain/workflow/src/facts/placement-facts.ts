import type { SequenceFacts, SessionFile, UnitCell } from '@fleet/contracts/sessions';
import { nucleicAcidsOf, plainGroup, sequenceContent } from '@fleet/files';
import { metricFact, problemWithValue, type PlacementRules, type FactSheet } from '@fleet/knowledge-model';
import type { FilesView } from '../workflow-input';

/** Phaser accepts more, but a larger number has always been a wrong guess of the contents (reference: 1 to 30). */
const maxCopies = 30;
/** Relative difference of an edge or an angle above which two cells are not the same crystal form. */
const cellTolerance = 0.05;
/** Relative difference of an edge, and degrees, up to which PHENIX's programs take model and data together (cctbx, uctbx `is_similar_to`). */
const sameEdge = 0.01;
const sameAngle = 1;
/** Å; cells of models that never had one are written as 1 1 1 90 90 90. */
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

/** Whether two cells are the same to programs that compare a model with data. */
const isSameToPrograms = (one: UnitCell, other: UnitCell): boolean =>
  one.every((value, index) => Math.abs(value - (other[index] ?? value)) <= (index < 3 ? sameEdge * value : sameAngle));

/** Cell and space group of the data and of the model; undefined where one has no cell. */
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
  sheet.isomorphous = !isSameToPrograms(data.cell, model.cell);
  sheet.data_cell = data.cell.join(' ');
};

/** The space group of the placement where the submitted data have another one; refined data do not say so any more. */
const addChangedSpaceGroup = (sheet: FactSheet, files: FilesView, { programs }: PlacementRules): void => {
  const found = sheet[metricFact(programs.search, 'space_group')];
  const submitted = files.byCategory.get('data_mtz')?.find(({ cycle }) => cycle === 0)?.facts.spaceGroup;
  if (typeof found !== 'string' || problemWithValue({ type: 'space_group' }, found.trim()) !== undefined) return;
  if (submitted === undefined || plainGroup(found) === plainGroup(submitted)) return;
  sheet.solved_space_group = found.trim();
  sheet.submitted_space_group = submitted;
};

/**
 * Molecular replacement decides between the space groups of a point group (a screw axis, the hand); what comes after it has to use the
 * group of the solution, whatever the data file says. Data that a refinement wrote say it themselves.
 */
const addFoundSpaceGroup = (sheet: FactSheet, files: FilesView, { programs }: PlacementRules): void => {
  const found = sheet[metricFact(programs.search, 'space_group')];
  const data = files.lockedFreeFlags ?? firstOf(files, ['original_data_mtz', 'data_mtz']);
  const spaceGroup = data?.facts.spaceGroup;
  // a log that does not know the group may say so in words
  if (typeof found !== 'string' || problemWithValue({ type: 'space_group' }, found.trim()) !== undefined) return;
  if (spaceGroup === undefined || plainGroup(found) === plainGroup(spaceGroup)) return;
  sheet.found_space_group = found.trim();
};

/** Of all sequence files together. */
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

/** Of a file that nobody could read only its kind is known, not its size. */
const residuesOf = (file: SessionFile | undefined): number | undefined =>
  file?.facts.assumed === true ? undefined : file?.facts.model?.polymerResidues;

/** How much of the asymmetric unit the best model holds: half a complex cannot fit its data well. */
const addModelShare = (sheet: FactSheet, files: FilesView, rules: PlacementRules): void => {
  const held = residuesOf(files.best.get('model')?.file ?? firstOf(files, ['model']));
  const contents = residuesInAsymmetricUnit(sheet, files, rules);
  sheet.model_residues = held;
  sheet.asu_residues = contents;
  if (held !== undefined && contents !== undefined && contents > 0) sheet.model_share = held / contents;
};

/**
 * Sets of the sequence file in the asymmetric unit, by xtriage, times the equal chains of one set: a search model stands for one of its
 * chains at least, and of a trimmed one there are no more copies than of the whole chain.
 */
const maxBySequence = (sheet: FactSheet, files: FilesView, { programs }: PlacementRules): number => {
  const sets = sheet[metricFact(programs.analysis, 'n_copies')];
  const sequence = sequenceOf(files);
  if (typeof sets !== 'number') return Infinity;
  return sets * Math.max(1, Math.floor((sequence?.chains ?? 1) / (sequence?.distinct ?? 1)));
};

/** The contents of the asymmetric unit over the residues of the search models, rounded. */
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

/** How often the search model (each of several) has to be placed: by its size, and never more often than its sequence is there. */
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

/** A model of which nobody knows what it holds may hold some. */
const lacksNucleicAcid = (model: SessionFile | undefined): boolean =>
  residuesOf(model) !== undefined && model?.facts.model?.nucleicResidues === undefined;

/** DNA and RNA: what the sequence holds of them, and whether the best model does. */
const addNucleicAcids = (sheet: FactSheet, files: FilesView): void => {
  const { named, protein } = nucleicAcidsOf(files.byCategory.get('sequence') ?? []) ?? { named: '', protein: true };
  sheet.protein_sequence = protein;
  if (named !== '' && lacksNucleicAcid(files.best.get('model')?.file)) sheet.nucleic_missing = named;
};

/** What the files say of placement: `cell_mismatch`, `isomorphous`, `search_copies`, `model_share`, `found_space_group`, and of DNA and RNA. */
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
