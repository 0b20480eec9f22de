import type { StrategyValue } from './cycle';
import type { FieldProblem } from './fault';

/** Strategy keys by program (`phenix.refine`); `default` is for every program that knows the key. */
export type ProgramSettings = Readonly<Record<string, Readonly<Record<string, StrategyValue>>>>;

export interface StopConditions {
  /** The session ends when this program has succeeded, validated or not. */
  readonly after_program?: string;
  /** Runs first, then the workflow goes on. */
  readonly start_with_program?: string;
  readonly after_cycle?: number;
  /** Refinements before validation. */
  readonly max_refine_cycles?: number;
  readonly skip_validation?: boolean;
  /** Fraction. */
  readonly r_free_target?: number;
  /** 0 to 1. */
  readonly map_cc_target?: number;
}

/** Base names or paths of submitted files. */
export interface FilePreferences {
  readonly model?: string;
  readonly sequence?: string;
  readonly data_mtz?: string;
  readonly map_coeffs_mtz?: string;
  /** Never used. */
  readonly exclude?: readonly string[];
}

export interface WorkflowPreferences {
  readonly skip_programs?: readonly string[];
  readonly prefer_programs?: readonly string[];
  readonly use_experimental_phasing?: boolean;
  readonly use_molecular_replacement?: boolean;
  readonly use_mr_sad?: boolean;
  /** The submitted model is in its place; nothing has to be probed or searched. */
  readonly model_is_placed?: boolean;
}

/** What a submitter asks for, in the structure of the agent's directives (phenix-agent.md#directives). Each part is honoured in one layer only. */
export interface SessionDirectives {
  readonly program_settings?: ProgramSettings;
  readonly stop_conditions?: StopConditions;
  readonly file_preferences?: FilePreferences;
  readonly workflow_preferences?: WorkflowPreferences;
  /** Free text that no rule reads. */
  readonly constraints?: readonly string[];
}

type Check = (value: unknown, names: ReadonlySet<string> | undefined) => string | undefined;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// A NUL ends strings in the programs that would read it; no command can hold one.
const isText = (value: unknown): boolean => typeof value === 'string' && !value.includes('\0');
const text: Check = (value) =>
  isText(value) && String(value).trim() !== '' ? undefined : 'text without NUL characters';
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
const count: Check = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 ? undefined : 'a whole number from 1';
const fraction: Check = (value) =>
  typeof value === 'number' && value > 0 && value <= 1 ? undefined : 'a number above 0 and up to 1';
const program: Check = (value, names) => {
  if (typeof value !== 'string' || !/^phenix\.[a-z0-9_]+$/.test(value)) return 'a program such as phenix.refine';
  return names === undefined || names.has(value) ? undefined : 'a program that this service knows';
};
const listOf =
  (check: Check): Check =>
  (value, names) => {
    if (!Array.isArray(value)) return `a list (each ${check(undefined, names) ?? 'entry'})`;
    const wrong = value.map((one: unknown) => check(one, names)).find((problem) => problem !== undefined);
    return wrong === undefined ? undefined : `a list, each ${wrong}`;
  };

const sections: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  stop_conditions: {
    after_program: program,
    start_with_program: program,
    after_cycle: count,
    max_refine_cycles: count,
    skip_validation: flag,
    r_free_target: fraction,
    map_cc_target: fraction,
  },
  file_preferences: {
    model: text,
    sequence: text,
    data_mtz: text,
    map_coeffs_mtz: text,
    exclude: listOf(text),
  },
  workflow_preferences: {
    skip_programs: listOf(program),
    prefer_programs: listOf(program),
    use_experimental_phasing: flag,
    use_molecular_replacement: flag,
    use_mr_sad: flag,
    model_is_placed: flag,
  },
};

const isSetting = (value: unknown): boolean =>
  isText(value) || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Collects what is valid and what is wrong on the way through an unknown value. */
class Reading {
  readonly problems: FieldProblem[] = [];

  constructor(private readonly programs: ReadonlySet<string> | undefined) {}

  /** The entries that pass; the others become problems. */
  section(at: string, value: unknown, checks: Readonly<Record<string, Check>>): Record<string, unknown> {
    if (!isObject(value)) return this.refuse(at, 'an object');
    const valid: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value)) {
      const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
      const allowed = check === undefined ? `one of ${Object.keys(checks).join(', ')}` : check(entry, this.programs);
      if (allowed === undefined) valid[key] = entry;
      else this.refuse(`${at}.${key}`, allowed, check === undefined ? 'is no directive' : undefined);
    }
    return valid;
  }

  settings(at: string, value: unknown): Record<string, unknown> {
    if (!isObject(value)) return this.refuse(at, 'an object');
    const valid: Record<string, unknown> = {};
    for (const [name, keys] of Object.entries(value)) {
      const allowed = name === 'default' ? undefined : program(name, this.programs);
      if (allowed !== undefined) this.refuse(`${at}.${name}`, `default or ${allowed}`, 'is no program');
      else valid[name] = this.keys(`${at}.${name}`, keys);
    }
    return valid;
  }

  private keys(at: string, value: unknown): Record<string, unknown> {
    if (!isObject(value)) return this.refuse(at, 'an object');
    const wrong = Object.entries(value).filter(([, entry]) => !isSetting(entry));
    for (const [key] of wrong) this.refuse(`${at}.${key}`, 'a number, text without NUL characters, true or false');
    return Object.fromEntries(Object.entries(value).filter(([, entry]) => isSetting(entry)));
  }

  refuse(field: string, allowed: string, reason = `must be ${allowed}`): Record<string, unknown> {
    this.problems.push({ field, reason, allowed });
    return {};
  }
}

/**
 * Reads directives from outside. What is wrong is left out and told, field by field; the rest is valid.
 * @param programs names of all programs, where they are known
 */
export const parseDirectives = (
  value: unknown,
  programs?: ReadonlySet<string>,
): { readonly directives: SessionDirectives; readonly problems: readonly FieldProblem[] } => {
  const reading = new Reading(programs);
  if (!isObject(value)) {
    reading.refuse('directives', 'an object');
    return { directives: {}, problems: reading.problems };
  }
  const directives: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    const checks = Object.hasOwn(sections, key) ? sections[key] : undefined;
    const at = `directives.${key}`;
    if (checks !== undefined) directives[key] = reading.section(at, entry, checks);
    else if (key === 'program_settings') directives[key] = reading.settings(at, entry);
    else if (key === 'constraints') {
      const allowed = listOf(text)(entry, undefined);
      if (allowed === undefined) directives[key] = entry;
      else reading.refuse(at, allowed);
    } else reading.refuse(at, 'a section of the directives', 'is no directive');
  }
  return { directives, problems: reading.problems };
};
