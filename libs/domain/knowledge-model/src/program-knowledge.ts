import {
  also,
  choice,
  differing,
  flag,
  integer,
  list,
  mark,
  matching,
  oneOf,
  record,
  scalar,
  someOf,
  text,
  type Described,
} from '@fleet/contracts/schema';
import {
  experiment,
  factName,
  fileFormat,
  log,
  name,
  parameter,
  phenixProgram,
  sentence,
  someText,
  source,
} from './shared-schemas';
import { condition } from './conditions';
import { metricPattern, tableName } from './metric-knowledge';
import { withParameterType } from './parameter-type';

/** The purpose of a program; `validation` programs can open the validation gate. */
const programGroup = choice([
  'analysis',
  'placement',
  'building',
  'map_improvement',
  'refinement',
  'ligand',
  'map_analysis',
  'validation',
]);
export type ProgramGroup = Described<typeof programGroup>;

const doneProduct = record(
  {
    /** Globs of base names, case-insensitive. */
    names: someOf(someText),
    why: sentence,
  },
  {
    /** Any model counts: the output may have been renamed. */
    any_model: flag(),
  },
);

/**
 * How the engine records that a program ran, by the exact program name:
 * `set_flag` (may run again), `run_once` (never offered twice), `count` (the number of runs matters).
 */
const doneTracking = record(
  {
    /** Several programs may share a flag (`validation_done`). */
    flag: name,
    strategy: choice(['set_flag', 'run_once', 'count']),
  },
  {
    /** A run counts only while its output exists (phenix-agent.md#zombie-states). */
    product: doneProduct,
  },
);

/** A named file input, in the order of the command. */
const inputSlot = also(
  record(
    {
      slot: name,
      formats: someOf(fileFormat),
      /** Categories in order of priority; in each, the newest cycle first. */
      categories: someOf(name),
    },
    {
      /** Parameter before the file (`seq_file` gives `seq_file=PATH`); absent: positional. */
      flag: parameter,
      /** Where the program's documentation or source defines the flag; required for a flag. */
      source,
      /** Categories that take precedence over the best files, each only if its condition holds. */
      prefer: list(
        record(
          { category: name, when: condition, why: sentence },
          {
            /** Even before the locked free flags: then another slot of the program provides the free set. */
            before_lock: mark(),
          },
        ),
      ),
      /** Uses the best file of this scoring category (metrics.yaml, `best_files`). */
      best: name,
      /** A file in one of these is never used, not even the best. */
      exclude: list(name),
      /** If no category has a file, any file of the right format is used. */
      by_format: flag(),
      required: flag(),
      /** Uses every file of the first non-empty category, not only the newest. */
      multiple: flag(),
      /** Fewer files than this count as none. */
      minimum: integer(undefined, { minimum: 2 }),
      /** Uses the files of the search plan, if any: the models of the search, or the next prediction to be processed for it. */
      planned: choice(['searched', 'unprocessed']),
      /**
       * `locked`: the reflection file with the locked R-free flags takes precedence over everything. `apart`: the separate R-free flag file for
       * the data of slot `data`, if these have none.
       */
      free_flags: choice(['locked', 'apart']),
      /** Its files form one content, and the program accepts one file: the executor joins several files of the command. */
      joined: mark(),
      /** Restraint dictionaries only of components that are, or are not, in the file of slot `model`. */
      codes: choice(['in_model', 'not_in_model']),
      /** The slot is used only if this holds; `input.<slot>.…` of earlier slots may be used. */
      when: condition,
      why: sentence,
    },
  ),
  { dependentRequired: { flag: ['source'] } },
);
export type InputSlot = Described<typeof inputSlot>;

const defaultParameter = record({
  parameter,
  value: scalar(),
  /** Where the parameter is defined: a file of cctbx_project, a page of PHENIX's documentation. */
  source,
  why: sentence,
});
export type DefaultParameter = Described<typeof defaultParameter>;

/** A key that a decision may set, and the program's parameter for it. A command contains no other parameters. */
const strategyKey = withParameterType(
  record(
    {
      key: name,
      parameter: matching('^(?:--)?[A-Za-z_][A-Za-z0-9_.]*$'),
      /** As in a default parameter. */
      source,
    },
    {
      /** Other names of the key in submitters' directives. */
      aliases: someOf(name),
      /** The key may be set only if this holds. */
      when: condition,
      /** Reported if it does not. */
      otherwise: sentence,
      /** Why its values have these bounds. */
      why: sentence,
    },
  ),
);
/** With the type of its values: other values are never in a command. */
export type StrategyKey = Described<typeof strategyKey>;

/** The source of an automatic value. */
const fillValue = oneOf(
  record({ constant: scalar() }),
  /** Numbers are rounded to `decimals`. */
  record({ fact: factName }, { decimals: integer(undefined, { minimum: 0, maximum: 6 }) }),
  /** `refine` gives `refine_003` for the third run of the program. */
  record({ run_label: name }),
  /** Facts in braces: `resname {fitted_ligand_code}`. The key is unset if a fact is unknown. */
  record({ template: someText }),
);
export type FillValue = Described<typeof fillValue>;

/** Sets a strategy key that the decision did not set. The first rule of a key that applies wins. */
const autoFill = record({ key: name, value: fillValue, why: sentence }, { when: condition });
export type AutoFill = Described<typeof autoFill>;

/** Must hold before the program is offered; otherwise `why` is reported to the user. */
const requirement = record({ when: condition, why: sentence });

const programResources = record({
  class: choice(['cpu', 'gpu', 'either']),
  cpus: integer(undefined, { minimum: 1 }),
  /** Maximum resident memory, in MiB. */
  memoryMiB: integer(undefined, { minimum: 64 }),
  wallClockMinutes: integer(undefined, { minimum: 1 }),
  why: sentence,
});
export type ProgramResources = Described<typeof programResources>;

/**
 * Parameters that belong together for each file of a slot: arguments cannot group them, so the program gets a file instead. The record keeps
 * the arguments.
 */
const parameterFile = record({
  name: matching('^[a-z_]+\\.eff$'),
  /** `flag` of the slot. */
  flag: parameter,
  /** A parameter of the command whose value is in every block. */
  number: parameter,
  /** Written for each file of the slot: `{index}` (1-based), `{path}` in quotes, `{number}` (default 1). */
  block: text(undefined, { minLength: 10 }),
  source,
  why: sentence,
});

/** Two keys with element symbols: the heaviest belongs in the first. */
const heavierFirst = record({ key: name, others: name, why: sentence });

const because = record({ why: sentence });

/** knowledge/programs/NAME.yaml */
export const programKnowledge = record(
  {
    /** PHENIX's own name, for example `phenix.refine`. */
    name: phenixProgram,
    purpose: someText,
    experiments: differing(experiment),
    group: programGroup,
    done: doneTracking,
    inputs: list(inputSlot),
    defaults: list(defaultParameter),
    strategy: list(strategyKey),
    auto_fill: list(autoFill),
    requirements: list(requirement),
    /** Outputs of a run. A run without any of them has failed, unless all are `optional`. */
    outputs: list(record({ pattern: someText, what: someText }, { optional: flag() })),
    resources: programResources,
    metrics: list(metricPattern),
  },
  {
    /** Command name if it differs (autobuild_denmod runs phenix.autobuild). */
    runs_as: phenixProgram,
    /** Its first success fixes the free set of the session: its output is locked. */
    draws_free_set: because,
    /** It generates a test set for data without flags, and cannot use a separate flag file. */
    own_free_set: because,
    /** It analyses only the data: its resolution is theirs, and the summary shows its metrics as their quality. */
    measures_data: because,
    /** A run whose metrics all equal those of its start left the model unchanged. */
    unchanged_when: record({ metrics: someOf(record({ metric: name, at_start: name })), why: sentence }),
    /** With this key a run does only part of the work: it refines nothing and places no model. */
    stops_early: record({ key: name, why: sentence }),
    /**
     * Each run sends the sequence to a prediction service, unless the site's installation is configured otherwise
     * (docs/what-leaves-the-site.md).
     */
    sends_sequence: record({ source: sentence, why: sentence }),
    /** It reads the SMILES of a ligand, and may print them: its log and error lines are not shown to language models. */
    reads_compounds: because,
    /** Tables and broken sentences in its log, which patterns cannot read. */
    tables: record(
      {
        readers: differing(tableName),
        why: sentence,
      },
      { log },
    ),
    /** In each group at least one slot must be filled. */
    any_of: list(list(name, undefined, { minItems: 2 })),
    parameter_file: parameterFile,
    heavier_first: heavierFirst,
  },
);
export type ProgramKnowledge = Described<typeof programKnowledge>;

/** Slots whose files form one content for a program that accepts one file. */
export const joinedSlots = (program: Pick<ProgramKnowledge, 'inputs'> | undefined): ReadonlySet<string> =>
  new Set(program?.inputs.filter(({ joined }) => joined === true).map(({ slot }) => slot));

/** The parameter for a file with the SMILES of a ligand. */
export const compoundParameter = (program: Pick<ProgramKnowledge, 'strategy'> | undefined): string | undefined =>
  program?.strategy.find(({ type }) => type === 'compound_file')?.parameter;
