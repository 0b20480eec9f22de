import type { StrategyValue } from '@fleet/contracts/schema';
import type { ExperimentType, FileFormat } from '@fleet/contracts/sessions';
import type { Condition } from './conditions';
import type { MetricPattern, TableName } from './metric-knowledge';
import type { ParameterType } from './parameter-type';

/** The purpose of a program; `validation` programs can open the validation gate. */
const programGroups = [
  'analysis',
  'placement',
  'building',
  'map_improvement',
  'refinement',
  'ligand',
  'map_analysis',
  'validation',
] as const;
export type ProgramGroup = (typeof programGroups)[number];

/**
 * How the engine records that a program ran, by the exact program name:
 * `set_flag` (may run again), `run_once` (never offered twice), `count` (the number of runs matters).
 */
interface DoneTracking {
  /** Several programs may share a flag (`validation_done`). */
  readonly flag: string;
  readonly strategy: 'set_flag' | 'run_once' | 'count';
  /** A run counts only while its output exists (phenix-agent.md#zombie-states). */
  readonly product?: DoneProduct;
}

interface DoneProduct {
  /** Globs of base names, case-insensitive. */
  readonly names: readonly string[];
  /** Any model counts: the output may have been renamed. */
  readonly any_model?: boolean;
  readonly why: string;
}

/** A named file input, in the order of the command. */
export interface InputSlot {
  readonly slot: string;
  /** Parameter before the file (`seq_file` gives `seq_file=PATH`); absent: positional. */
  readonly flag?: string;
  /** Where the program's documentation or source defines the flag; required for a flag. */
  readonly source?: string;
  readonly formats: readonly FileFormat[];
  /** Categories that take precedence over the best files, each only if its condition holds. */
  readonly prefer?: readonly {
    readonly category: string;
    readonly when: Condition;
    /** Even before the locked free flags: then another slot of the program provides the free set. */
    readonly before_lock?: true;
    readonly why: string;
  }[];
  /** Uses the best file of this scoring category (metrics.yaml, `best_files`). */
  readonly best?: string;
  /** Categories in order of priority; in each, the newest cycle first. */
  readonly categories: readonly string[];
  /** A file in one of these is never used, not even the best. */
  readonly exclude?: readonly string[];
  /** If no category has a file, any file of the right format is used. */
  readonly by_format?: boolean;
  readonly required?: boolean;
  /** Uses every file of the first non-empty category, not only the newest. */
  readonly multiple?: boolean;
  /** Fewer files than this count as none. */
  readonly minimum?: number;
  /** Uses the files of the search plan, if any: the models of the search, or the next prediction to be processed for it. */
  readonly planned?: 'searched' | 'unprocessed';
  /**
   * `locked`: the reflection file with the locked R-free flags takes precedence over everything. `apart`: the separate R-free flag file for
   * the data of slot `data`, if these have none.
   */
  readonly free_flags?: 'locked' | 'apart';
  /** Its files form one content, and the program accepts one file: the executor joins several files of the command. */
  readonly joined?: true;
  /** Restraint dictionaries only of components that are, or are not, in the file of slot `model`. */
  readonly codes?: 'in_model' | 'not_in_model';
  /** The slot is used only if this holds; `input.<slot>.…` of earlier slots may be used. */
  readonly when?: Condition;
  readonly why?: string;
}

export interface DefaultParameter {
  readonly parameter: string;
  readonly value: StrategyValue;
  /** Where the parameter is defined: a file of cctbx_project, a page of PHENIX's documentation. */
  readonly source: string;
  readonly why: string;
}

/** A key that a decision may set, and the program's parameter for it. A command contains no other parameters. */
interface StrategyKeyBase {
  readonly key: string;
  readonly parameter: string;
  /** As in a default parameter. */
  readonly source: string;
  /** Other names of the key in submitters' directives. */
  readonly aliases?: readonly string[];
  /** The key may be set only if this holds. */
  readonly when?: Condition;
  /** Reported if it does not. */
  readonly otherwise?: string;
  /** Why its values have these bounds. */
  readonly why?: string;
}

/** With the type of its values: other values are never in a command. */
export type StrategyKey = StrategyKeyBase & ParameterType;

/** The source of an automatic value. */
export type FillValue =
  | { readonly constant: StrategyValue }
  /** Numbers are rounded to `decimals`. */
  | { readonly fact: string; readonly decimals?: number }
  /** `refine` gives `refine_003` for the third run of the program. */
  | { readonly run_label: string }
  /** Facts in braces: `resname {fitted_ligand_code}`. The key is unset if a fact is unknown. */
  | { readonly template: string };

/** Sets a strategy key that the decision did not set. The first rule of a key that applies wins. */
export interface AutoFill {
  readonly key: string;
  readonly value: FillValue;
  readonly when?: Condition;
  readonly why: string;
}

/** Two keys with element symbols: the heaviest belongs in the first. */
interface HeavierFirst {
  readonly key: string;
  readonly others: string;
  readonly why: string;
}

/** Must hold before the program is offered; otherwise `why` is reported to the user. */
interface Requirement {
  readonly when: Condition;
  readonly why: string;
}

export interface ProgramResources {
  readonly class: 'cpu' | 'gpu' | 'either';
  readonly cpus: number;
  /** Maximum resident memory, in MiB. */
  readonly memoryMiB: number;
  readonly wallClockMinutes: number;
  readonly why: string;
}

/**
 * Parameters that belong together for each file of a slot: arguments cannot group them, so the program gets a file instead. The record keeps
 * the arguments.
 */
interface ParameterFile {
  readonly name: string;
  /** `flag` of the slot. */
  readonly flag: string;
  /** A parameter of the command whose value is in every block. */
  readonly number: string;
  /** Written for each file of the slot: `{index}` (1-based), `{path}` in quotes, `{number}` (default 1). */
  readonly block: string;
  readonly source: string;
  readonly why: string;
}

/** Slots whose files form one content for a program that accepts one file. */
export const joinedSlots = (program: Pick<ProgramKnowledge, 'inputs'> | undefined): ReadonlySet<string> =>
  new Set(program?.inputs.filter(({ joined }) => joined === true).map(({ slot }) => slot));

/** The parameter for a file with the SMILES of a ligand. */
export const compoundParameter = (program: Pick<ProgramKnowledge, 'strategy'> | undefined): string | undefined =>
  program?.strategy.find(({ type }) => type === 'compound_file')?.parameter;

/** knowledge/programs/NAME.yaml */
export interface ProgramKnowledge {
  /** PHENIX's own name, for example `phenix.refine`. */
  readonly name: string;
  readonly purpose: string;
  readonly experiments: readonly ExperimentType[];
  readonly group: ProgramGroup;
  /** Command name if it differs (autobuild_denmod runs phenix.autobuild). */
  readonly runs_as?: string;
  /** Its first success fixes the free set of the session: its output is locked. */
  readonly draws_free_set?: { readonly why: string };
  /** It generates a test set for data without flags, and cannot use a separate flag file. */
  readonly own_free_set?: { readonly why: string };
  /** It analyses only the data: its resolution is theirs, and the summary shows its metrics as their quality. */
  readonly measures_data?: { readonly why: string };
  /** A run whose metrics all equal those of its start left the model unchanged. */
  readonly unchanged_when?: {
    readonly metrics: readonly { readonly metric: string; readonly at_start: string }[];
    readonly why: string;
  };
  /** With this key a run does only part of the work: it refines nothing and places no model. */
  readonly stops_early?: { readonly key: string; readonly why: string };
  /**
   * Each run sends the sequence to a prediction service, unless the site's installation is configured otherwise
   * (docs/what-leaves-the-site.md).
   */
  readonly sends_sequence?: { readonly source: string; readonly why: string };
  /** It reads the SMILES of a ligand, and may print them: its log and error lines are not shown to language models. */
  readonly reads_compounds?: { readonly why: string };
  /** Tables and broken sentences in its log, which patterns cannot read. */
  readonly tables?: { readonly readers: readonly TableName[]; readonly log?: string; readonly why: string };
  readonly done: DoneTracking;
  readonly inputs: readonly InputSlot[];
  /** In each group at least one slot must be filled. */
  readonly any_of?: readonly (readonly string[])[];
  readonly parameter_file?: ParameterFile;
  readonly defaults: readonly DefaultParameter[];
  readonly strategy: readonly StrategyKey[];
  readonly auto_fill: readonly AutoFill[];
  readonly heavier_first?: HeavierFirst;
  readonly requirements: readonly Requirement[];
  /** Outputs of a run. A run without any of them has failed, unless all are `optional`. */
  readonly outputs: readonly { readonly pattern: string; readonly what: string; readonly optional?: boolean }[];
  readonly resources: ProgramResources;
  readonly metrics: readonly MetricPattern[];
}
