import type { FileFormat } from '@fleet/contracts/sessions';
import type { Condition } from './conditions';

/** knowledge/file_categories.yaml: one category; a file may be in several, a child is in its parents too. */
export interface FileCategory {
  readonly name: string;
  readonly parents: readonly string[];
  readonly formats: readonly FileFormat[];
  /** Case-insensitive globs on the base name; any of them. Empty: every name. */
  readonly names: readonly string[];
  /** Case-insensitive globs on the base name that rule the category out. */
  readonly not_names: readonly string[];
  /** Programs whose outputs these are; stronger than names where it applies. */
  readonly made_by: readonly string[];
  /** Conditions on the content, as facts of the file (`predicted`, `atoms`, `has_free_flag`, ...). */
  readonly content?: readonly Condition[];
  /** Categories listed earlier that rule this one out. */
  readonly unless?: readonly string[];
  readonly why: string;
}
