import type { InstalledProgram, SessionFile } from '@fleet/contracts';
import { shortName, type ProgramGroup, type ProgramKnowledge } from '@fleet/knowledge-model';
import { lostProductOf, type LostProduct } from '../done-products';
import { recoveryOf, type Recovery } from '../recovery';
import { succeeded, type AnalysedCycle, type FactSheet, type WorkflowInput } from '../workflow-input';

/** Groups whose success changes what another program gets: after it a failed program may be tried again. */
const changing: ReadonlySet<ProgramGroup> = new Set([
  'placement',
  'building',
  'refinement',
  'ligand',
  'map_improvement',
]);

/** Why a program that is described cannot run here and now; undefined when it can. */
interface Hindrance {
  readonly kind: 'not_installed' | 'failed' | 'skipped';
  readonly why: string;
}

export interface ProgramState {
  readonly runs: number;
  readonly fails: number;
  /** Cycle of the last success, 0 for none. */
  readonly last: number;
  readonly installed?: InstalledProgram;
  readonly hindrance?: Hindrance;
  /** Failures since the last success. */
  readonly failedSinceSuccess: number;
  readonly recovery?: Recovery;
  /** Its only success does not count: what it made is gone. */
  readonly lostProduct?: LostProduct;
}

/** What must be installed: the name on the command line, which may differ (autobuild_denmod runs phenix.autobuild). */
const commandOf = (program: ProgramKnowledge): string => program.runs_as ?? program.name;

const installedOf = (name: string, { catalogue, session }: WorkflowInput): InstalledProgram | undefined =>
  catalogue.programs.find(
    ({ program, provider }) =>
      program === name && (provider !== 'simulated' || session.request.settings.simulated_programs.includes(name)),
  );

const notInstalled = (name: string, { catalogue }: WorkflowInput): Hindrance => ({
  kind: 'not_installed',
  why: catalogue.programs.some(({ program }) => program === name)
    ? 'only a simulated stand-in is here, and the settings do not name it'
    : 'not installed on this backend',
});

const trailingFailures = (own: readonly AnalysedCycle[]): readonly AnalysedCycle[] =>
  own.slice(own.findLastIndex(succeeded) + 1);

/** The same command on the same files fails again; twice in a row is enough even when something changed in between. */
const failureOf = (own: readonly AnalysedCycle[], lastChange: number): Hindrance | undefined => {
  const failures = trailingFailures(own);
  const latest = failures.at(-1);
  if (latest === undefined) return undefined;
  if (failures.length > 1)
    return { kind: 'failed', why: `failed ${failures.length === 2 ? 'twice' : `${failures.length} times`} in a row` };
  if (lastChange > latest.cycle) return undefined;
  return { kind: 'failed', why: `failed in cycle ${latest.cycle} and nothing has changed since` };
};

const skipped: Hindrance = { kind: 'skipped', why: "left out at the submitter's wish" };

const isSkipped = (name: string, { session }: WorkflowInput): boolean =>
  session.request.directives?.workflow_preferences?.skip_programs?.includes(name) === true;

interface Past {
  readonly own: readonly AnalysedCycle[];
  /** Cycle in which something last changed for other programs. */
  readonly lastChange: number;
  readonly recovery: Recovery | undefined;
}

const hindranceOf = (program: ProgramKnowledge, past: Past, input: WorkflowInput): Hindrance | undefined => {
  if (isSkipped(program.name, input)) return skipped;
  const command = commandOf(program);
  if (installedOf(command, input) === undefined) return notInstalled(command, input);
  return past.recovery?.retry === true ? undefined : failureOf(past.own, past.lastChange);
};

const stateOf = (
  program: ProgramKnowledge,
  own: readonly AnalysedCycle[],
  lastChange: number,
  context: { readonly input: WorkflowInput; readonly files: readonly SessionFile[] },
): ProgramState => {
  const { input, files } = context;
  const installed = installedOf(commandOf(program), input);
  const runs = own.filter(succeeded);
  const recovery = recoveryOf(own, input.ruleBook.errors, input.session.request.advice);
  const hindrance = hindranceOf(program, { own, lastChange, recovery }, input);
  const lostProduct = lostProductOf(program, runs.length, files);
  const counted = lostProduct === undefined ? runs : [];
  return {
    runs: counted.length,
    fails: own.length - runs.length,
    last: counted.at(-1)?.cycle ?? 0,
    failedSinceSuccess: trailingFailures(own).length,
    ...(installed === undefined ? {} : { installed }),
    ...(hindrance === undefined ? {} : { hindrance }),
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

const addDone = (sheet: FactSheet, flag: string, last: number): void => {
  const known = Number(sheet[`done_at.${flag}`] ?? 0);
  sheet[`done_at.${flag}`] = Math.max(known, last);
  sheet[`done.${flag}`] = Math.max(known, last) > 0;
};

/** `runs.refine`, `usable.refine`, `done.refine_done` and the rest of their families. */
export const addProgramFacts = (sheet: FactSheet, states: ProgramStates, input: WorkflowInput): void => {
  for (const [name, state] of states) {
    const short = shortName(name);
    sheet[`runs.${short}`] = state.runs;
    sheet[`fails.${short}`] = state.fails;
    sheet[`tried.${short}`] = state.runs + state.fails > 0 || state.lostProduct !== undefined;
    sheet[`last.${short}`] = state.last;
    sheet[`installed.${short}`] = state.installed !== undefined;
    sheet[`usable.${short}`] = state.hindrance === undefined;
    sheet[`skipped.${short}`] = state.hindrance?.kind === 'skipped';
    sheet[`provider.${short}`] = state.installed?.provider;
    const flag = input.ruleBook.programs[name]?.done.flag;
    if (flag !== undefined) addDone(sheet, flag, state.last);
  }
};

/** `refine.r_free` and the like: the metrics of each program's last successful run. */
export const addMetricFacts = (sheet: FactSheet, cycles: readonly AnalysedCycle[]): void => {
  const seen = new Set<string>();
  for (const cycle of cycles.toReversed()) {
    const { program } = cycle.decision;
    if (!succeeded(cycle) || seen.has(program)) continue;
    seen.add(program);
    const short = shortName(program);
    for (const { name, value } of cycle.result.metrics.toReversed()) sheet[`${short}.${name}`] = value;
  }
};
