import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName, type ScoredFile } from '@fleet/files';

/** Names that the v2 API gives to categories of this service. */
const categoryOf: Readonly<Record<string, string>> = { mtz: 'data_mtz', map_coefficients: 'map_coeffs_mtz' };

type StatedFiles = ReadonlyMap<string, readonly SessionFile[]>;

/** The first file of each name: that of its path, and its last part for those who say no more. */
const fileFinder = (all: readonly SessionFile[]): ((said: string) => SessionFile | undefined) => {
  // Backwards, so that the first of several stays.
  const lastFirst = all.toReversed();
  const byPath = new Map(lastFirst.map((file) => [file.path, file]));
  const byName = new Map(lastFirst.map((file) => [baseName(file.path), file]));
  return (said) => (said.includes('/') ? byPath : byName).get(said);
};

/** The session's files that somebody else has judged the best of their category; names that are no file of the session count for nothing. */
export const statedBest = (
  said: Readonly<Record<string, readonly string[]>>,
  all: readonly SessionFile[],
): StatedFiles => {
  const find = fileFinder(all);
  return new Map(
    Object.entries(said)
      .map(([name, paths]): [string, readonly SessionFile[]] => [
        Object.hasOwn(categoryOf, name) ? (categoryOf[name] ?? name) : name,
        paths.flatMap((path) => find(path) ?? []),
      ])
      .filter(([, files]) => files.length > 0),
  );
};

/** Whoever keeps the session has scored its files with all their metrics; that judgement stands (phenix-agent.md#best-files). */
export const withStated = (
  own: ReadonlyMap<string, ScoredFile>,
  stated: StatedFiles,
): ReadonlyMap<string, ScoredFile> => {
  const best = new Map(own);
  for (const [category, [file]] of stated) {
    if (file !== undefined && own.get(category)?.file !== file)
      best.set(category, { file, stage: category, score: 0, parts: [{ name: 'as stated', points: 0 }] });
  }
  return best;
};
