import { fillTemplate, holds, type RuleBook, type StepProgram, type WorkflowStep } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import { direct } from './direct-menu';
import type { ProgramState } from './facts/program-facts';
import { notOfferedOf, type OfferedProgram, type NotOfferedProgram } from './not-offered';

/** Entry of `validPrograms` that ends the session; the only entry if no program is offered. */
export const STOP = 'STOP';

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
  /** What a language model may choose in addition; empty if a directive changed the menu, because the requested program runs. */
  readonly forModels: readonly OfferedProgram[];
  readonly refused: readonly NotOfferedProgram[];
  /** Names of the offered programs, then STOP if the workflow may end too; only STOP if no program is offered. */
  readonly validPrograms: readonly string[];
  /** Changes by the submitter's directives, one sentence each. */
  readonly applied: readonly string[];
}

const elsewhere = (program: string, step: string, state: ProgramState | undefined): NotOfferedProgram =>
  state?.unavailability === undefined
    ? { program, reason: 'other_step', why: `not part of the step "${step}"` }
    : { program, reason: state.unavailability.kind, why: state.unavailability.why };

type Choices = Pick<Menu, 'offered' | 'refused'>;

/** Which of these programs can be chosen now, and why the others cannot. */
const openPrograms = (programs: readonly StepProgram[], session: DescribedSession, ruleBook: RuleBook): Choices => {
  const offered: OfferedProgram[] = [];
  const refused: NotOfferedProgram[] = [];
  for (const entry of programs) {
    const knowledge = ruleBook.programs[entry.program];
    if (knowledge === undefined || offered.some(({ program }) => program === entry.program)) continue;
    const refusal = notOfferedOf(entry, knowledge, session.programs.get(entry.program), session);
    if (refusal === undefined) offered.push({ program: entry.program, why: fillTemplate(entry.why, session.facts) });
    else refused.push(refusal);
  }
  return { offered, refused };
};

const openStep = (step: string, { programs }: WorkflowStep, session: DescribedSession, ruleBook: RuleBook): Choices => {
  const { offered, refused } = openPrograms(programs, session, ruleBook);
  const named = new Set(offered.map(({ program }) => program));
  const own = refused.filter(({ program }, index) => {
    const isLast = refused.findLastIndex((refusal) => refusal.program === program) === index;
    return isLast && !named.has(program);
  });
  const inStep = new Set(programs.map(({ program }) => program));
  const others = Object.values(ruleBook.programs)
    .filter(({ name, experiments }) => experiments.includes(session.experiment) && !inStep.has(name))
    .map(({ name }) => elsewhere(name, step, session.programs.get(name)));
  return { offered, refused: [...own, ...others] };
};

type Opened = Pick<Menu, 'step' | 'state' | 'offered' | 'forModels' | 'refused' | 'applied' | 'validPrograms'>;

const besides = (
  { offered, applied }: Pick<Menu, 'offered' | 'applied'>,
  { for_models = [] }: WorkflowStep,
  session: DescribedSession,
  ruleBook: RuleBook,
): readonly OfferedProgram[] => {
  if (offered.length === 0 || applied.length > 0) return [];
  return openPrograms(for_models, session, ruleBook).offered.filter(
    ({ program }) => !offered.some((one) => one.program === program),
  );
};

const validOf = (
  offered: readonly OfferedProgram[],
  { stop_when: when }: WorkflowStep,
  { facts }: DescribedSession,
): readonly string[] => {
  const names = offered.map(({ program }) => program);
  const mayStop = names.length === 0 || (when !== undefined && holds(when, facts));
  return mayStop ? [...names, STOP] : names;
};

/** Opens a step, or its fallback step if it offers nothing. */
const openNamed = (name: string, session: DescribedSession, ruleBook: RuleBook): Opened => {
  const step = session.workflow.steps[name] ?? { state: 'complete', programs: [] };
  const choices = direct(openStep(name, step, session, ruleBook), { name, step, session, ruleBook });
  if (choices.offered.length === 0 && step.when_empty !== undefined)
    return openNamed(step.when_empty, session, ruleBook);
  const forModels = besides(choices, step, session, ruleBook);
  return {
    step: name,
    state: step.state,
    ...choices,
    forModels,
    validPrograms: validOf(choices.offered, step, session),
  };
};

/** Finds the step (the first detection rule that holds) and its offers, changed by the submitter's directives. */
export const openMenu = (session: DescribedSession, ruleBook: RuleBook): Menu => {
  const { workflow, facts } = session;
  const rule = workflow.detection.find(({ when }) => holds(when, facts));
  const opened = openNamed(rule?.step ?? 'complete', session, ruleBook);
  return {
    rule: rule?.id ?? 'done',
    why: fillTemplate(rule?.why ?? 'no rule holds', facts),
    ...opened,
  };
};

/** Names of everything that a language model may choose: the offered programs, its additional choices, and STOP. */
export const validForModels = ({
  offered,
  forModels,
  validPrograms,
}: Pick<Menu, 'offered' | 'forModels' | 'validPrograms'>): readonly string[] => {
  const besideRules = forModels.map(({ program }) => program);
  return [...validPrograms.slice(0, offered.length), ...besideRules, ...validPrograms.slice(offered.length)];
};
