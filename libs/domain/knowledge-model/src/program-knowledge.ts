import type { StrategyValue } from '@fleet/contracts/schema';
import type { ExperimentType, FileFormat } from '@fleet/contracts/sessions';
import type { Condition } from './conditions';
import type { MetricPattern, TableName } from './metric-knowledge';
import type { ParameterType } from './parameter-type';

/** What a program is for; `validation` programs can open the validation gate. */
export const programGroups = [
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
 * How the engine remembers that a program ran, matched by the exact program name:
 * `set_flag` (may run again), `run_once` (never offered twice), `count` (the number of runs matters).
 */
export interface DoneTracking {
  /** Several programs may share a flag (`validation_done`). */
  readonly flag: string;
  readonly strategy: 'set_flag' | 'run_once' | 'count';
  /** A run counts only while what it made is there (phenix-agent.md#zombie-states). */
  readonly product?: DoneProduct;
}

export interface DoneProduct {
  /** Globs of base names, whatever the case. */
  readonly names: readonly string[];
  /** Any model will do: the product may have been renamed. */
  readonly any_model?: boolean;
  readonly why: string;
}

/** A named file input, in the order of the command. */
export interface InputSlot {
  readonly slot: string;
  /** Parameter in front of the file (`seq_file` gives `seq_file=PATH`); absent: positional. */
  readonly flag?: string;
  /** Where the program's maker says that it takes the flag; every flag has one. */
  readonly source?: string;
  readonly formats: readonly FileFormat[];
  /** Categories that are looked at before the best files, each only where its condition holds. */
  readonly prefer?: readonly {
    readonly category: string;
    readonly when: Condition;
    /** Even before the locked free flags: another slot of the program brings the free set then. */
    readonly before_lock?: true;
    readonly why: string;
  }[];
  /** Takes the best file of this scoring category (metrics.yaml, `best_files`). */
  readonly best?: string;
  /** Categories in order of priority; in each, the newest cycle first. */
  readonly categories: readonly string[];
  /** A file in one of these is never taken, best or not. */
  readonly exclude?: readonly string[];
  /** When no category has a file, any file of the right format will do. */
  readonly by_format?: boolean;
  readonly required?: boolean;
  /** Takes every file of the first category that has one, not only the newest. */
  readonly multiple?: boolean;
  /** Fewer files than this count as none. */
  readonly minimum?: number;
  /** Takes what the plan of the search names, where it names any: the models of the search, or the next prediction to be processed for it. */
  readonly planned?: 'searched' | 'unprocessed';
  /**
   * `locked`: the reflection file whose R-free flags the session has locked comes before everything else. `apart`: the file of R-free flags alone
   * that gives its test set to the data of slot `data`, where these have none.
   */
  readonly free_flags?: 'locked' | 'apart';
  /** Its files are one content, and the program takes one file: the executor joins what the command gives in several. */
  readonly joined?: true;
  /** Restraint dictionaries only of components that are, or are not, in the file of slot `model`. */
  readonly codes?: 'in_model' | 'not_in_model';
  /** The slot is used only where this holds; `input.<slot>.…` of the slots before it may be asked. */
  readonly when?: Condition;
  readonly why?: string;
}

export interface DefaultParameter {
  readonly parameter: string;
  readonly value: StrategyValue;
  /** Where the program's maker says that it takes the parameter: a file of cctbx_project, a page of PHENIX's documentation. */
  readonly source: string;
  readonly why: string;
}

/** A key that a decision may set, and the program's parameter for it. Nothing else reaches the command. */
interface StrategyKeyBase {
  readonly key: string;
  readonly parameter: string;
  /** As of a default parameter. */
  readonly source: string;
  /** Other names of the key, as submitters' directives have them. */
  readonly aliases?: readonly string[];
  /** The key may be set only where this holds. */
  readonly when?: Condition;
  /** Told where it does not. */
  readonly otherwise?: string;
  /** Why its values are bounded as they are. */
  readonly why?: string;
}

/** With the type of its values: what is not of the type reaches no command. */
export type StrategyKey = StrategyKeyBase & ParameterType;

/** Where an automatic value comes from. */
export type FillValue =
  | { readonly constant: StrategyValue }
  /** Numbers are rounded to `decimals`. */
  | { readonly fact: string; readonly decimals?: number }
  /** `refine` gives `refine_003` for the third run of the program. */
  | { readonly run_label: string }
  /** Facts in braces: `resname {fitted_ligand_code}`. Unknown facts leave the key unset. */
  | { readonly template: string };

/** Fills a strategy key that the decision left open. The first rule of a key that applies wins. */
export interface AutoFill {
  readonly key: string;
  readonly value: FillValue;
  readonly when?: Condition;
  readonly why: string;
}

/** Two keys with element symbols: the heaviest belongs into the first. */
interface HeavierFirst {
  readonly key: string;
  readonly others: string;
  readonly why: string;
}

/** Must hold before the program is offered; `why` is told to the user when it does not. */
export interface Requirement {
  readonly when: Condition;
  readonly why: string;
}

export interface ProgramResources {
  readonly class: 'cpu' | 'gpu' | 'either';
  readonly cpus: number;
  /** Largest resident memory to allow, in MiB. */
  readonly memoryMiB: number;
  readonly wallClockMinutes: number;
  readonly why: string;
}

/**
 * Parameters that belong together for each file of a slot: no argument can group them, so the program is given a file in their place. The
 * record keeps the arguments.
 */
export interface ParameterFile {
  readonly name: string;
  /** `flag` of the slot. */
  readonly flag: string;
  /** A parameter of the command whose value goes into every block. */
  readonly number: string;
  /** Written for each file of the slot: `{index}` from 1, `{path}` in quotes, `{number}` (1 where the command does not set it). */
  readonly block: string;
  readonly source: string;
  readonly why: string;
}

/** Slots whose files are one content for a program that takes one file. */
export const joinedSlots = (program: Pick<ProgramKnowledge, 'inputs'> | undefined): ReadonlySet<string> =>
  new Set(program?.inputs.filter(({ joined }) => joined === true).map(({ slot }) => slot));

/** The parameter that takes a file with the SMILES of a ligand. */
export const compoundParameter = (program: Pick<ProgramKnowledge, 'strategy'> | undefined): string | undefined =>
  program?.strategy.find(({ type }) => type === 'compound_file')?.parameter;

/** knowledge/programs/NAME.yaml */
export interface ProgramKnowledge {
  /** PHENIX's own name, for example `phenix.refine`. */
  readonly name: string;
  readonly purpose: string;
  readonly experiments: readonly ExperimentType[];
  readonly group: ProgramGroup;
  /** Name on the command line where it differs (autobuild_denmod runs phenix.autobuild). */
  readonly runs_as?: string;
  /** Its first success settles the free set of the session: what it wrote is locked. */
  readonly draws_free_set?: { readonly why: string };
  /** Without flags among its data it draws a test set itself: it takes none from a file of its own. */
  readonly own_free_set?: { readonly why: string };
  /** It looks at the data alone: its resolution is theirs, and the summary shows its metrics as their quality. */
  readonly measures_data?: { readonly why: string };
  /** A run whose metrics are all those of its start left the model as it was given. */
  readonly unchanged_when?: {
    readonly metrics: readonly { readonly metric: string; readonly at_start: string }[];
    readonly why: string;
  };
  /** With this key a run does part of the work only: it refines nothing and leaves no model in its place. */
  readonly stops_early?: { readonly key: string; readonly why: string };
  /** Each run of it sends the sequence to a prediction service, unless the site's installation is set up otherwise (docs/what-leaves-the-site.md). */
  readonly sends_sequence?: { readonly source: string; readonly why: string };
  /** It is given the SMILES of a ligand, and may repeat them: no language model is shown its log or its error lines. */
  readonly reads_compounds?: { readonly why: string };
  /** What it prints in tables and broken sentences, which no pattern can read. */
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
  /** What a run leaves behind. One that leaves none of them has failed, unless all are `optional`. */
  readonly outputs: readonly { readonly pattern: string; readonly what: string; readonly optional?: boolean }[];
  readonly resources: ProgramResources;
  readonly metrics: readonly MetricPattern[];
}
