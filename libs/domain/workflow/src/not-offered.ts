import type { NotOffered } from '@fleet/contracts/sessions';
import { fillTemplate, holds, type ProgramKnowledge, type RuleBook, type StepProgram } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import type { ProgramState } from './facts/program-facts';

export interface OfferedProgram {
  readonly program: string;
  readonly why: string;
}

/** Why a program of the step cannot be chosen. */
export interface NotOfferedProgram extends NotOffered {
  readonly reason:
    'not_installed' | 'failed' | 'blocked' | 'skipped' | 'requirement' | 'condition' | 'done' | 'other_step';
}

const unmetRequirement = (knowledge: ProgramKnowledge, { facts }: DescribedSession): string | undefined =>
  knowledge.requirements.find(({ when }) => !holds(when, facts))?.why;

const conditionOf = (entry: StepProgram, { facts }: DescribedSession): string | undefined => {
  if (entry.when === undefined || holds(entry.when, facts)) return undefined;
  return entry.otherwise ?? `not now: ${fillTemplate(entry.why, facts)}`;
};

const ranOnce = ({ done }: ProgramKnowledge, state: ProgramState | undefined): boolean =>
  done.strategy === 'run_once' && state !== undefined && state.runs > 0;

/**
 * The first reason that keeps a program of the step from being offered. Scientific reasons come before installation, so a missing
 * installation is reported only if it matters.
 */
export const notOfferedOf = (
  entry: StepProgram,
  knowledge: ProgramKnowledge,
  state: ProgramState | undefined,
  session: DescribedSession,
): NotOfferedProgram | undefined => {
  const notOffered = (reason: NotOfferedProgram['reason'], why: string): NotOfferedProgram => ({
    program: entry.program,
    reason,
    why,
  });
  if (ranOnce(knowledge, state)) return notOffered('done', 'it runs only once and has already run');
  const condition = conditionOf(entry, session);
  if (condition !== undefined) return notOffered('condition', condition);
  const unmet = unmetRequirement(knowledge, session);
  if (unmet !== undefined) return notOffered('requirement', unmet);
  return state?.unavailability === undefined
    ? undefined
    : notOffered(state.unavailability.kind, state.unavailability.why);
};

/** Why a program may not run here and now, whatever the step; undefined when it may. */
export const whyItCannotRun = (
  program: string,
  session: DescribedSession,
  ruleBook: RuleBook,
): NotOfferedProgram | undefined => {
  const knowledge = ruleBook.programs[program];
  if (knowledge?.experiments.includes(session.experiment) !== true)
    return { program, reason: 'other_step', why: `no program for ${session.experiment}` };
  const entry: StepProgram = { program, why: 'asked for' };
  return notOfferedOf(entry, knowledge, session.programs.get(program), session);
};
