import { baseName } from '../name-glob';
import type { PlacementTrial, SearchStrategy } from './placement-trials';

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

const inGroups: Readonly<Record<SearchStrategy['groups'], string>> = {
  data: '',
  hand: ' in both hands of the space group',
  all: ' in every space group of the point group',
};

/** A search in words: `2 copies of a.pdb in both hands of the space group`. */
export const wayWords = ({
  models,
  copies,
  groups,
  asSubmitted,
}: SearchStrategy & { readonly asSubmitted?: true }): string => {
  const names = models.length === 0 ? 'the search model' : joined(models.map(baseName));
  if (asSubmitted === true) return `${names} where it was submitted`;
  const each = models.length > 1 ? ' each' : '';
  return `${copies > 1 ? `${copies} copies${each} of ` : ''}${names}${inGroups[groups]}`;
};

/** A search with its outcome: `a.pdb (TFZ 4.2, and below 5 is not a solution)`. */
export const trialWords = (trial: PlacementTrial): string => `${wayWords(trial)} (${trial.says})`;

/**
 * Placed and missing components: `a.pdb placed, TFZ 29.6; b.pdb not found, 165 of 428 residues`.
 * @param residues of each component, by path
 */
export const partWords = (
  residues: ReadonlyMap<string, number>,
  unplaced: readonly string[],
  tfz: number | undefined,
): string => {
  const names = [...residues.keys()].map(baseName);
  const count = [...residues].reduce((sum, [path, own]) => sum + (unplaced.includes(baseName(path)) ? own : 0), 0);
  const all = [...residues.values()].reduce((sum, own) => sum + own, 0);
  const placed = joined(names.filter((name) => !unplaced.includes(name)));
  const missing = `${joined(unplaced)} not found, ${count} of ${all} residues`;
  return `${placed} placed${tfz === undefined ? '' : `, TFZ ${tfz.toFixed(1)}`}; ${missing}`;
};

/** Every search and its outcome; undefined for a single successful search. */
export const searchReport = (
  trials: readonly PlacementTrial[],
  standing: PlacementTrial | undefined,
): string | undefined => {
  if (trials.every((trial) => trial === standing)) return undefined;
  const sentences = trials.map(trialWords).join('; ');
  const searches = trials.filter(({ asSubmitted }) => asSubmitted !== true).length;
  if (searches === 0) return undefined;
  return `Molecular replacement searched ${searches === 1 ? 'once' : `with ${searches} strategies`}: ${sentences}.`;
};
