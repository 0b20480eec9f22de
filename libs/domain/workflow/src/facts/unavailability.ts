import { directivesInForce } from '@fleet/contracts/sessions';
import type { ErrorKnowledge, ProgramKnowledge } from '@fleet/knowledge-model';
import { errorClassOf, type Recovery } from '../recovery';
import { steeringOf, succeeded, type AnalysedCycle, type WorkflowInput } from '../workflow-input';
import { commandOf, installedOf } from './installed-program';

/** Why a known program cannot run here and now. */
export interface Unavailability {
  readonly kind: 'not_installed' | 'failed' | 'blocked' | 'skipped';
  readonly why: string;
}

/** The history of a program in this session. */
export interface ProgramPast {
  readonly own: readonly AnalysedCycle[];
  /** Cycle in which the input of other programs last changed. */
  readonly lastChange: number;
  readonly recovery: Recovery | undefined;
}

/** Failures since the last success, oldest first. */
export const trailingFailures = (own: readonly AnalysedCycle[]): readonly AnalysedCycle[] =>
  own.slice(own.findLastIndex(succeeded) + 1);

const times = (count: number): string => (count === 2 ? 'twice' : `${count} times`);

const tooManyFailures = (
  { group }: ProgramKnowledge,
  own: readonly AnalysedCycle[],
  { limits }: ErrorKnowledge,
): string | undefined => {
  const inARow = trailingFailures(own).length;
  if (inARow >= limits.in_a_row) return `failed ${times(inARow)} in a row`;
  const all = own.filter((cycle) => !succeeded(cycle)).length;
  const most = group === 'refinement' ? limits.of_refinement : limits.of_others;
  return all >= most ? `failed ${times(all)} in this session` : undefined;
};

/** An error that recurs with the same input. A later change may have changed that input. */
const terminalFailure = ({ own, lastChange }: ProgramPast, errors: ErrorKnowledge): string | undefined => {
  const latest = trailingFailures(own).at(-1);
  if (latest === undefined || lastChange > latest.cycle) return undefined;
  if (errorClassOf(latest.decision.program, latest.result, errors) !== 'terminal') return undefined;
  return `failed in cycle ${latest.cycle}, and nothing has changed since`;
};

const failureOf = (program: ProgramKnowledge, past: ProgramPast, input: WorkflowInput): string | undefined => {
  const { retry } = steeringOf(input);
  const isAskedFor = retry?.program === program.name && !past.own.some(({ cycle }) => cycle > retry.after);
  if (isAskedFor || past.recovery?.retry === true) return input.exhausted?.get(program.name);
  const { errors } = input.ruleBook;
  return (
    tooManyFailures(program, past.own, errors) ?? terminalFailure(past, errors) ?? input.exhausted?.get(program.name)
  );
};

const notInstalled = (name: string, { catalogue }: WorkflowInput): Unavailability => {
  const withheld = catalogue.withheld?.find(({ program }) => program === name);
  if (withheld !== undefined) return { kind: 'blocked', why: withheld.why };
  return {
    kind: 'not_installed',
    why: catalogue.programs.some(({ program }) => program === name)
      ? 'only a simulated stand-in is installed, and the settings do not enable it'
      : 'not installed on this backend',
  };
};

/** The submitter excludes the program, permanently or until a metric is reached. */
const unwantedBecause = ({ name }: ProgramKnowledge, { session, held }: WorkflowInput): string | undefined => {
  const { skip_programs = [] } = directivesInForce(session).workflow_preferences ?? {};
  return skip_programs.includes(name) ? "skipped at the submitter's request" : held?.get(name);
};

/** The first reason that keeps a program from running, or undefined. */
export const unavailabilityOf = (
  program: ProgramKnowledge,
  past: ProgramPast,
  input: WorkflowInput,
): Unavailability | undefined => {
  const unwanted = unwantedBecause(program, input);
  if (unwanted !== undefined) return { kind: 'skipped', why: unwanted };
  if (steeringOf(input).blocked?.includes(program.name) === true)
    return { kind: 'blocked', why: 'blocked for this session' };
  const command = commandOf(program);
  if (installedOf(command, input) === undefined) return notInstalled(command, input);
  const failure = failureOf(program, past, input);
  if (failure === undefined) return undefined;
  // Exhausted without a failure: its command cannot be built.
  return { kind: past.own.every(succeeded) ? 'blocked' : 'failed', why: failure };
};
