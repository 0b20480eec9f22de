import type { NotOffered } from '@fleet/contracts';
import { fillTemplate, holds, type ProgramKnowledge, type RuleBook, type StepProgram } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import type { ProgramState } from './facts/program-facts';

export interface OfferedProgram {
  readonly program: string;
  readonly why: string;
}

/** Why a program of the step cannot be chosen. */
export interface Refusal extends NotOffered {
  readonly because:
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

/** The first thing that keeps a program of the step away; science before installation, so that what is missing here is only told where it matters. */
export const refusalOf = (
  entry: StepProgram,
  knowledge: ProgramKnowledge,
  state: ProgramState | undefined,
  session: DescribedSession,
): Refusal | undefined => {
  const refuse = (because: Refusal['because'], why: string): Refusal => ({ program: entry.program, because, why });
  if (ranOnce(knowledge, state)) return refuse('done', 'it runs only once and has already run');
  const condition = conditionOf(entry, session);
  if (condition !== undefined) return refuse('condition', condition);
  const unmet = unmetRequirement(knowledge, session);
  if (unmet !== undefined) return refuse('requirement', unmet);
  return state?.hindrance === undefined ? undefined : refuse(state.hindrance.kind, state.hindrance.why);
};

/** Why a program may not run here and now, whatever step the session is in; undefined when it may. */
export const hindranceIn = (program: string, session: DescribedSession, ruleBook: RuleBook): Refusal | undefined => {
  const knowledge = ruleBook.programs[program];
  if (knowledge?.experiments.includes(session.experiment) !== true)
    return { program, because: 'other_step', why: `no program for ${session.experiment}` };
  const entry: StepProgram = { program, why: 'asked for' };
  return refusalOf(entry, knowledge, session.programs.get(program), session);
};
