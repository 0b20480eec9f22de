import type { FileFormat } from '@fleet/contracts/sessions';
import type { Condition } from './conditions';

/** knowledge/file_categories.yaml: one category; a file may be in several, and a child's files are also in its parents. */
export interface FileCategory {
  readonly name: string;
  readonly parents: readonly string[];
  readonly formats: readonly FileFormat[];
  /** Case-insensitive globs on the base name; any of them. Empty: every name. */
  readonly names: readonly string[];
  /** Case-insensitive globs on the base name that exclude a file. */
  readonly not_names: readonly string[];
  /** Programs whose outputs these are; overrides names. */
  readonly made_by: readonly string[];
  /** Conditions on the content, as facts of the file (`predicted`, `atoms`, `has_free_flag`, ...). */
  readonly content?: readonly Condition[];
  /** Categories listed earlier that exclude this one. */
  readonly unless?: readonly string[];
  readonly why: string;
}
