import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName, stemOf } from './name-glob';

/** The numbered series that a file belongs to. */
export interface FileSeries {
  /** Kind of content, and the name without its numbers: the same for all files of one series. */
  readonly name: string;
  /** From left to right. */
  readonly numbers: readonly number[];
}

/** A number between separators, or after a letter for a version; not that of a PDB entry (`7w9w`). */
const number = /(?<=(?:^|[-_ ])(?:v|ver|version)?)\d+(?=$|[-_ ])/gi;

/** PHENIX derives the names of refined files from their input: `x_refine_002_real_space_refined_000` was made from `x_refine_002`. */
const repeated =
  /(?<first>^|.*?[-_ ])(?<word>(?:real_space_)?refined?|rsr|cycle|round|iter|run)[-_ ]?(?<rest>\d+(?:[-_ ].*)?)$/i;

/** Predictors and searches number their results by quality, the best first. */
const ranked = /(?:^|[-_])rank|model_idx|predict|^af[-_]|(?:alpha|colab|esm|open|omega|rosetta)fold|phaser/i;

/** Kinds of files that may form a series: a number in the name of raw data, a map or a ligand does not mean a newer version. */
const kindOf = ({ facts: { format, model, mtz } }: SessionFile, stem: string): string | undefined => {
  if (ranked.test(stem)) return undefined;
  if (model !== undefined) return model.polymerResidues > 0 && !model.predicted ? 'model' : undefined;
  if (mtz === undefined) return undefined;
  if (mtz.observations.length === 0) return mtz.mapCoefficients.length > 0 ? `${format} coefficients` : undefined;
  return repeated.test(stem) ? `${format} data` : undefined;
};

const numbersIn = (text: string): readonly number[] => [...text.matchAll(number)].map(([digits]) => Number(digits));

/**
 * The series of a submitted file: `refine_001.pdb` and `refine_002.pdb` are steps of one work, of which the last counts. Undefined for
 * outputs of a session (its cycles give the order), and for names without such a number.
 */
export const seriesOf = (file: SessionFile): FileSeries | undefined => {
  const stem = stemOf(baseName(file.path)).toLowerCase();
  const kind = file.cycle === 0 ? kindOf(file, stem) : undefined;
  if (kind === undefined) return undefined;
  const { first, word, rest } = repeated.exec(stem)?.groups ?? {};
  if (rest !== undefined) return { name: `${kind} ${first ?? ''}${word ?? ''}`, numbers: numbersIn(rest) };
  const numbers = numbersIn(stem);
  const name = stem.replace(number, '#');
  return numbers.length === 0 || !/[a-z]/.test(name) ? undefined : { name: `${kind} ${name}`, numbers };
};

/** Of two files of one series the one with the higher number is newer, and a derived file is newer than its source. */
export const newerOfSeries = (one: SessionFile, other: SessionFile): number => {
  const [first, second] = [seriesOf(one)?.numbers ?? [], seriesOf(other)?.numbers ?? []];
  const at = [...first, ...second].findIndex((_, index) => first[index] !== second[index]);
  return (second[at] ?? -1) - (first[at] ?? -1);
};
