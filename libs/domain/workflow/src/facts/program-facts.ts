import type { InstalledProgram } from '@fleet/contracts/service';
import { adviceInForce, shortName, type SessionFile } from '@fleet/contracts/sessions';
import { isFinding } from '@fleet/files';
import { metricFact, type ProgramGroup, type ProgramKnowledge, type FactSheet } from '@fleet/knowledge-model';
import { lostProductOf, type LostProduct } from '../done-products';
import { knownErrorOf, recoveryOf, type Recovery } from '../recovery';
import { succeeded, type AnalysedCycle, type WorkflowInput } from '../workflow-input';
import { unavailabilityOf, trailingFailures, type Unavailability } from './unavailability';
import { commandOf, installedOf } from './installed-program';

/** Groups whose success changes the input of other programs: afterwards a failed program may be tried again. */
const changing: ReadonlySet<ProgramGroup> = new Set([
  'placement',
  'building',
  'refinement',
  'ligand',
  'map_improvement',
]);

export interface ProgramState {
  readonly runs: number;
  readonly fails: number;
  /** Cycles of its successes, oldest first. */
  readonly ranAt: readonly number[];
  /** Cycle of the last success, 0 for none. */
  readonly last: number;
  /** Cycle of the last run, successful or not, 0 for none. */
  readonly lastTried: number;
  readonly installed?: InstalledProgram;
  readonly unavailability?: Unavailability;
  /** Id of the known error of the last failure, `unlisted` if the text matches no known error. */
  readonly lastError?: string;
  /** Failures since the last success. */
  readonly failedSinceSuccess: number;
  readonly recovery?: Recovery;
  /** Its only success does not count: its output is missing. */
  readonly lostProduct?: LostProduct;
}

const lastErrorOf = (own: readonly AnalysedCycle[], { ruleBook }: WorkflowInput): Pick<ProgramState, 'lastError'> => {
  const failure = own.findLast((cycle) => !succeeded(cycle));
  if (failure === undefined) return {};
  return { lastError: knownErrorOf(failure.decision.program, failure.result, ruleBook.errors)?.id ?? 'unlisted' };
};

/**
 * Failures that keep a program from running again. A search without a solution is not one, because the next search uses another strategy.
 * Restraints are made once per component, so a failure does not affect the next component.
 */
const troublesOf = (
  { name }: ProgramKnowledge,
  own: readonly AnalysedCycle[],
  { ruleBook: { errors, placementEvidence, ligandEvidence } }: WorkflowInput,
): readonly AnalysedCycle[] =>
  name === ligandEvidence.programs.restraints
    ? []
    : own.filter((cycle) => !isFinding(cycle, placementEvidence, errors));

const stateOf = (
  program: ProgramKnowledge,
  own: readonly AnalysedCycle[],
  lastChange: number,
  context: { readonly input: WorkflowInput; readonly files: readonly SessionFile[] },
): ProgramState => {
  const { input, files } = context;
  const installed = installedOf(commandOf(program), input);
  const runs = own.filter(succeeded);
  const recovery = recoveryOf(own, input.ruleBook.errors, adviceInForce(input.session));
  const troubles = troublesOf(program, own, input);
  const unavailability = unavailabilityOf(program, { own: troubles, lastChange, recovery }, input);
  const lostProduct = lostProductOf(program, runs.length, files);
  const counted = lostProduct === undefined ? runs : [];
  return {
    runs: counted.length,
    fails: own.length - runs.length,
    ranAt: counted.map(({ cycle }) => cycle),
    last: counted.at(-1)?.cycle ?? 0,
    lastTried: own.at(-1)?.cycle ?? 0,
    failedSinceSuccess: trailingFailures(own).length,
    ...(installed === undefined ? {} : { installed }),
    ...(unavailability === undefined ? {} : { unavailability }),
    ...lastErrorOf(own, input),
    ...(recovery === undefined ? {} : { recovery }),
    ...(lostProduct === undefined ? {} : { lostProduct }),
  };
};

const groupByProgram = (cycles: readonly AnalysedCycle[]): ReadonlyMap<string, readonly AnalysedCycle[]> => {
  const groups = new Map<string, AnalysedCycle[]>();
  for (const cycle of cycles) {
    const own = groups.get(cycle.decision.program);
    if (own === undefined) groups.set(cycle.decision.program, [cycle]);
    else own.push(cycle);
  }
  return groups;
};

export type ProgramStates = ReadonlyMap<string, ProgramState>;

/** How often each program ran and whether it can run now, by exact name. */
export const programStates = (
  cycles: readonly AnalysedCycle[],
  input: WorkflowInput,
  files: readonly SessionFile[],
): ProgramStates => {
  const { programs } = input.ruleBook;
  const lastChange = cycles.findLast((cycle) => {
    const group = programs[cycle.decision.program]?.group;
    return succeeded(cycle) && group !== undefined && changing.has(group);
  });
  const byProgram = groupByProgram(cycles);
  return new Map(
    Object.values(programs).map((program) => [
      program.name,
      stateOf(program, byProgram.get(program.name) ?? [], lastChange?.cycle ?? 0, { input, files }),
    ]),
  );
};

const namesFor = ({ name, done }: ProgramKnowledge) => {
  const short = shortName(name);
  return {
    runs: `runs.${short}`,
    fails: `fails.${short}`,
    tried: `tried.${short}`,
    last: `last.${short}`,
    lastError: `last_error.${short}`,
    installed: `installed.${short}`,
    usable: `usable.${short}`,
    exhausted: `exhausted.${short}`,
    skipped: `skipped.${short}`,
    provider: `provider.${short}`,
    done: `done.${done.flag}`,
    doneAt: `done_at.${done.flag}`,
  } as const;
};

const namesByProgram = new WeakMap<ProgramKnowledge, ReturnType<typeof namesFor>>();

/** Cached per program: the rule book is frozen, and each decision needs the same few hundred names. */
const namesOf = (program: ProgramKnowledge): ReturnType<typeof namesFor> => {
  const names = namesByProgram.get(program) ?? namesFor(program);
  namesByProgram.set(program, names);
  return names;
};

/** `runs.refine`, `usable.refine`, `done.refine_done` and their families. */
export const addProgramFacts = (sheet: FactSheet, states: ProgramStates, input: WorkflowInput): void => {
  for (const program of Object.values(input.ruleBook.programs)) {
    const state = states.get(program.name);
    if (state === undefined) continue;
    const names = namesOf(program);
    sheet[names.runs] = state.runs;
    sheet[names.fails] = state.fails;
    sheet[names.tried] = state.runs + state.fails > 0 || state.lostProduct !== undefined;
    sheet[names.last] = state.last;
    sheet[names.lastError] = state.lastError;
    sheet[names.installed] = state.installed !== undefined;
    sheet[names.usable] = state.unavailability === undefined;
    sheet[names.exhausted] = state.fails === 0 && input.exhausted?.has(program.name) === true;
    sheet[names.skipped] = state.unavailability?.kind === 'skipped';
    sheet[names.provider] = state.installed?.provider;
    const doneAt = Math.max(Number(sheet[names.doneAt] ?? 0), state.last);
    sheet[names.doneAt] = doneAt;
    sheet[names.done] = doneAt > 0;
  }
};

/** `refine.r_free` and its family: the metrics of each program's last successful run. */
export const addMetricFacts = (sheet: FactSheet, cycles: readonly AnalysedCycle[]): void => {
  const seen = new Set<string>();
  for (const cycle of cycles.toReversed()) {
    const { program } = cycle.decision;
    if (!succeeded(cycle) || seen.has(program)) continue;
    seen.add(program);
    for (const { name, value } of cycle.result.metrics.toReversed()) sheet[metricFact(program, name)] = value;
  }
};
