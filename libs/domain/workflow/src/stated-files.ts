import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName, type ScoredFile } from '@fleet/files';

/** Category names of the v2 API and the service's own names. */
const categoryOf: Readonly<Record<string, string>> = { mtz: 'data_mtz', map_coefficients: 'map_coeffs_mtz' };

type StatedFiles = ReadonlyMap<string, readonly SessionFile[]>;

/** The first file of each path, and of each file name for clients that give no folder. */
const fileFinder = (all: readonly SessionFile[]): ((name: string) => SessionFile | undefined) => {
  // Reversed, so that the first of several wins.
  const lastFirst = all.toReversed();
  const byPath = new Map(lastFirst.map((file) => [file.path, file]));
  const byName = new Map(lastFirst.map((file) => [baseName(file.path), file]));
  return (name) => (name.includes('/') ? byPath : byName).get(name);
};

/** Files of the session that a client rated best of their category. Unknown names are ignored. */
export const statedBest = (
  name: Readonly<Record<string, readonly string[]>>,
  all: readonly SessionFile[],
): StatedFiles => {
  const find = fileFinder(all);
  return new Map(
    Object.entries(name)
      .map(([name, paths]): [string, readonly SessionFile[]] => [
        Object.hasOwn(categoryOf, name) ? (categoryOf[name] ?? name) : name,
        paths.flatMap((path) => find(path) ?? []),
      ])
      .filter(([, files]) => files.length > 0),
  );
};

/** The client has scored the files with all their metrics, so its ranking is used (phenix-agent.md#best-files). */
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
