import { list, record, someOf, type Described } from '@fleet/contracts/schema';
import { fileFormat, name, phenixProgram, sentence, someText } from './shared-schemas';
import { condition } from './conditions';

/** knowledge/file_categories.yaml: one category; a file may be in several, and a child's files are also in its parents. */
const fileCategory = record(
  {
    name,
    parents: list(name),
    formats: list(fileFormat),
    /** Case-insensitive globs on the base name; any of them. Empty: every name. */
    names: list(someText),
    /** Case-insensitive globs on the base name that exclude a file. */
    not_names: list(someText),
    /** Programs whose outputs these are; overrides names. */
    made_by: list(phenixProgram),
    why: sentence,
  },
  {
    /** Conditions on the content, as facts of the file (`predicted`, `atoms`, `has_free_flag`, ...). */
    content: list(condition),
    /** Categories listed earlier that exclude this one. */
    unless: list(name),
  },
);
export type FileCategory = Described<typeof fileCategory>;

/** knowledge/file_categories.yaml */
export const fileCategories = record({ categories: someOf(fileCategory) });
