import type { NotOffered } from '@fleet/contracts';
import {
  fillTemplate,
  holds,
  type ProgramKnowledge,
  type RuleBook,
  type StepProgram,
  type WorkflowStep,
} from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import type { ProgramState } from './facts/program-facts';

/** What stands in `validPrograms` when nothing but stopping is left. */
export const STOP = 'STOP';

export interface OfferedProgram {
  readonly program: string;
  readonly why: string;
}

/** Why a program of the step cannot be chosen. */
export interface Refusal extends NotOffered {
  readonly because: 'not_installed' | 'failed' | 'requirement' | 'condition' | 'done' | 'other_step';
}

export interface Menu {
  readonly step: string;
  /** External state, for example `xray_refined`. */
  readonly state: string;
  /** Id of the detection rule. */
  readonly rule: string;
  /** Why this step, one clause. */
  readonly why: string;
  /** In the order of preference. */
  readonly offered: readonly OfferedProgram[];
  readonly refused: readonly Refusal[];
  /** Names of the offered programs, or STOP alone. */
  readonly validPrograms: readonly string[];
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
const refusalOf = (
  entry: StepProgram,
  knowledge: ProgramKnowledge,
  state: ProgramState | undefined,
  session: DescribedSession,
): Refusal | undefined => {
  const refuse = (because: Refusal['because'], why: string): Refusal => ({ program: entry.program, because, why });
  if (ranOnce(knowledge, state)) return refuse('done', 'it runs only once and has run');
  const condition = conditionOf(entry, session);
  if (condition !== undefined) return refuse('condition', condition);
  const unmet = unmetRequirement(knowledge, session);
  if (unmet !== undefined) return refuse('requirement', unmet);
  return state?.hindrance === undefined ? undefined : refuse(state.hindrance.kind, state.hindrance.why);
};

const elsewhere = (program: string, step: string, state: ProgramState | undefined): Refusal =>
  state?.hindrance === undefined
    ? { program, because: 'other_step', why: `not part of the step "${step}"` }
    : { program, because: state.hindrance.kind, why: state.hindrance.why };

const openStep = (
  step: string,
  { programs }: WorkflowStep,
  session: DescribedSession,
  ruleBook: RuleBook,
): Pick<Menu, 'offered' | 'refused'> => {
  const offered: OfferedProgram[] = [];
  const refused: Refusal[] = [];
  for (const entry of programs) {
    const knowledge = ruleBook.programs[entry.program];
    if (knowledge === undefined) continue;
    const refusal = refusalOf(entry, knowledge, session.programs.get(entry.program), session);
    if (refusal === undefined) offered.push({ program: entry.program, why: fillTemplate(entry.why, session.facts) });
    else refused.push(refusal);
  }
  const inStep = new Set(programs.map(({ program }) => program));
  const others = Object.values(ruleBook.programs)
    .filter(({ name, experiments }) => experiments.includes(session.experiment) && !inStep.has(name))
    .map(({ name }) => elsewhere(name, step, session.programs.get(name)));
  return { offered, refused: [...refused, ...others] };
};

/** Finds the step (first detection rule that holds) and what it offers. */
export const openMenu = (session: DescribedSession, ruleBook: RuleBook): Menu => {
  const { workflow, facts } = session;
  const rule = workflow.detection.find(({ when }) => holds(when, facts));
  const name = rule?.step ?? 'complete';
  const step = workflow.steps[name] ?? { state: 'complete', programs: [] };
  const choices = openStep(name, step, session, ruleBook);
  const names = choices.offered.map(({ program }) => program);
  return {
    step: name,
    state: step.state,
    rule: rule?.id ?? 'done',
    why: fillTemplate(rule?.why ?? 'no rule holds', facts),
    ...choices,
    validPrograms: names.length > 0 ? names : [STOP],
  };
};
