import type { SessionFile } from '@fleet/contracts/sessions';
import type { Condition, FileCategory } from '@fleet/knowledge-model';
import { familiesOf, matches, onlyIntermediate } from './categorise';
import { factsOfFiles } from './facts-of-file';
import { baseName, matchesGlob } from './name-glob';

/** Why a file is in a category. */
export interface CategoryReason {
  readonly category: string;
  /** Globs of the category that match the file's name; empty if its name does not matter, or it is here through a child. */
  readonly names: readonly string[];
  /** Conditions of the category on the content, which are met. */
  readonly content: readonly Condition[];
  /** The child category through which the file is here. */
  readonly by?: string;
  /** The text of the knowledge. */
  readonly why: string;
}

const directReason = (category: FileCategory, file: SessionFile): CategoryReason => ({
  category: category.name,
  names: category.names.filter((glob) => matchesGlob(baseName(file.path), glob)),
  content: category.content ?? [],
  why: category.why,
});

const reasonsOf = (
  file: SessionFile,
  facts: Parameters<typeof matches>[2],
  categories: readonly FileCategory[],
): readonly CategoryReason[] => {
  const reasons = new Map<string, CategoryReason>();
  const found = new Set<string>();
  for (const ranked of familiesOf(categories)) {
    if (!matches(ranked, file, facts, found)) continue;
    const { category, withParents } = ranked;
    reasons.set(category.name, directReason(category, file));
    for (const name of withParents) {
      found.add(name);
      const parent = categories.find((other) => other.name === name);
      if (parent === undefined || reasons.has(name)) continue;
      reasons.set(name, { category: name, names: [], content: [], by: category.name, why: parent.why });
    }
  }
  const intermediate = onlyIntermediate(found);
  return [...reasons.values()].filter(({ category }) => intermediate.has(category));
};

/** The categories of each file, as in `categorise`, and the reasons. */
export const categoryReasons = (
  files: readonly SessionFile[],
  categories: readonly FileCategory[],
): ReadonlyMap<SessionFile, readonly CategoryReason[]> => {
  const facts = factsOfFiles(files);
  return new Map(files.map((file) => [file, reasonsOf(file, facts.get(file) ?? {}, categories)]));
};
