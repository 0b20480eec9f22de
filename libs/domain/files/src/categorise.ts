import type { SessionFile } from '@fleet/contracts/sessions';
import type { Facts, FileCategory } from '@fleet/knowledge-model';
import { holds } from '@fleet/knowledge-model';
import { factsOfFiles } from './facts-of-file';
import { inOrder } from './file-order';
import { baseName, globTest } from './name-glob';

/** Files by category, newest cycle first; a category without files is absent. */
export type CategorisedFiles = ReadonlyMap<string, readonly SessionFile[]>;

/** A file in this category is in no other one. */
const intermediateCategory = 'intermediate';

/** The program that made a file overrides its name; the name decides for submitted files and for categories without programs. */
const originMatches = ({ category, isNamed }: RankedCategory, file: SessionFile): boolean => {
  if (category.made_by.length > 0 && file.program !== undefined) return category.made_by.includes(file.program);
  if (category.made_by.length > 0 && category.names.length === 0) return false;
  return category.names.length === 0 || isNamed(baseName(file.path));
};

/** Whether a file itself belongs to a category, given the categories that it is already in. */
export const matches = (
  ranked: RankedCategory,
  file: SessionFile,
  facts: Facts,
  found: ReadonlySet<string>,
): boolean => {
  const { category, isRuledOut } = ranked;
  return (
    (category.formats.length === 0 || category.formats.includes(file.facts.format)) &&
    !isRuledOut(baseName(file.path)) &&
    originMatches(ranked, file) &&
    (category.content ?? []).every((condition) => holds(condition, facts)) &&
    !(category.unless ?? []).some((name) => found.has(name))
  );
};

const withParents = (names: Iterable<string>, byName: ReadonlyMap<string, FileCategory>): ReadonlySet<string> => {
  const all = new Set<string>(names);
  for (const name of all) for (const parent of byName.get(name)?.parents ?? []) all.add(parent);
  return all;
};

/** A category with all its ancestors, and its compiled globs. */
interface RankedCategory {
  readonly category: FileCategory;
  readonly withParents: ReadonlySet<string>;
  readonly isNamed: (name: string) => boolean;
  readonly isRuledOut: (name: string) => boolean;
}

const prepared = new WeakMap<readonly FileCategory[], readonly RankedCategory[]>();

/** Compiled once per rule book: family tree and globs are used for every file of every decision. */
export const familiesOf = (categories: readonly FileCategory[]): readonly RankedCategory[] => {
  const known = prepared.get(categories);
  if (known !== undefined) return known;
  const byName = new Map(categories.map((category) => [category.name, category]));
  const made = categories.map((category) => ({
    category,
    withParents: withParents([category.name], byName),
    isNamed: globTest(category.names),
    isRuledOut: globTest(category.not_names),
  }));
  prepared.set(categories, made);
  return made;
};

const preparedByFormat = new WeakMap<readonly FileCategory[], Map<string, readonly RankedCategory[]>>();

/** Those categories, in their order, that accept files of a format. */
const familiesOfFormat = (format: string, categories: readonly FileCategory[]): readonly RankedCategory[] => {
  const byFormat = preparedByFormat.get(categories) ?? new Map<string, readonly RankedCategory[]>();
  preparedByFormat.set(categories, byFormat);
  const known = byFormat.get(format);
  if (known !== undefined) return known;
  const taking = familiesOf(categories).filter(
    ({ category: { formats } }) => formats.length === 0 || formats.some((one) => one === format),
  );
  byFormat.set(format, taking);
  return taking;
};

const categoriesOf = (file: SessionFile, facts: Facts, categories: readonly FileCategory[]): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const ranked of familiesOfFormat(file.facts.format, categories)) {
    if (matches(ranked, file, facts, found)) for (const name of ranked.withParents) found.add(name);
  }
  return onlyIntermediate(found);
};

/** An intermediate file is in no other category. */
export const onlyIntermediate = (found: ReadonlySet<string>): ReadonlySet<string> =>
  found.has(intermediateCategory) ? new Set([intermediateCategory]) : found;

/**
 * Assigns every file to its categories, first by content, then by the program that made it, then by name (knowledge/file_categories.yaml).
 * The result depends on all files together: half maps need their partner. Order inside a category: `inOrder`.
 */
export const categorise = (files: readonly SessionFile[], categories: readonly FileCategory[]): CategorisedFiles => {
  const facts = factsOfFiles(files);
  const result = new Map<string, SessionFile[]>();
  for (const file of inOrder(files)) {
    for (const name of categoriesOf(file, facts.get(file) ?? {}, categories)) {
      const members = result.get(name);
      if (members === undefined) result.set(name, [file]);
      else members.push(file);
    }
  }
  return result;
};
