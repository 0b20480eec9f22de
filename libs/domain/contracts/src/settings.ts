/** What a submitter may set. The table below is the only list: gateway, CLI help and docs are made from it. */
export interface SessionSettings {
  readonly max_cycles: number;
  readonly experiment_type: 'auto' | 'xray' | 'cryoem';
  /** Å; 0 takes it from the data. */
  readonly resolution: number;
  readonly analysis_only: boolean;
  /** Fraction; 0 takes the resolution-dependent target. */
  readonly r_free_target: number;
  /** Correlation, 0 to 1; 0 takes the default target. */
  readonly map_cc_target: number;
  readonly max_refine_cycles: number;
  /** Wall-clock limit of one program in minutes; 0 takes the program's own. */
  readonly program_time_limit: number;
  /** Programs for which a simulated stand-in may run where no real one is installed. */
  readonly simulated_programs: readonly string[];
  /** Whether predict_and_build predicts, places and builds in one run; false: it stops after the prediction. */
  readonly maximum_automation: boolean;
  readonly abort_on_red_flags: boolean;
  readonly abort_on_warnings: boolean;
}

export type SettingDefinition =
  | {
      readonly type: 'integer' | 'number';
      readonly default: number;
      readonly min: number;
      readonly max: number;
      readonly what: string;
    }
  | { readonly type: 'boolean'; readonly default: boolean; readonly what: string }
  | { readonly type: 'choice'; readonly default: string; readonly choices: readonly string[]; readonly what: string }
  | { readonly type: 'list'; readonly default: readonly string[]; readonly what: string };

export const settingDefinitions: Readonly<Record<keyof SessionSettings, SettingDefinition>> = {
  max_cycles: { type: 'integer', default: 20, min: 1, max: 100, what: 'stop after this many cycles' },
  experiment_type: { type: 'choice', default: 'auto', choices: ['auto', 'xray', 'cryoem'], what: 'what the data are' },
  resolution: { type: 'number', default: 0, min: 0, max: 20, what: 'high-resolution limit in Å; 0: from the data' },
  analysis_only: { type: 'boolean', default: false, what: 'analyse the data, solve nothing' },
  r_free_target: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    what: 'stop at this R-free (fraction); 0: by resolution',
  },
  map_cc_target: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    what: 'stop at this map correlation; 0: default target',
  },
  max_refine_cycles: { type: 'integer', default: 3, min: 1, max: 20, what: 'refinement runs before validation' },
  program_time_limit: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 10080,
    what: 'minutes a program may run; 0: its own limit',
  },
  simulated_programs: {
    type: 'list',
    default: [],
    what: 'programs that may be simulated where they are not installed',
  },
  maximum_automation: {
    type: 'boolean',
    default: true,
    what: 'predict, place and build in one run; false: step by step',
  },
  abort_on_red_flags: { type: 'boolean', default: true, what: 'stop when something is critically wrong' },
  abort_on_warnings: { type: 'boolean', default: false, what: 'stop at warnings too' },
};
