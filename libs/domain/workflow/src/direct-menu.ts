import { holds, type ProgramGroup, type RuleBook, type WorkflowStep } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import { whyItCannotRun, type OfferedProgram, type NotOfferedProgram } from './not-offered';

/** Groups whose programs need a placed model. */
const needsPlacement: ReadonlySet<ProgramGroup> = new Set(['refinement', 'ligand', 'map_analysis', 'validation']);

interface MenuContext {
  readonly name: string;
  readonly step: WorkflowStep;
  readonly session: DescribedSession;
  readonly ruleBook: RuleBook;
}

interface Choices {
  readonly offered: readonly OfferedProgram[];
  readonly refused: readonly NotOfferedProgram[];
}

const ranAfter = ({ session }: MenuContext, program: string, cycle: number): boolean =>
  (session.programs.get(program)?.last ?? 0) > cycle;

const triedOf = ({ session }: MenuContext, program: string): boolean => {
  const state = session.programs.get(program);
  return state !== undefined && state.runs + state.fails > 0;
};

/** Whether the step may offer a program of another step. */
const mayOffer = ({ step, session, ruleBook }: MenuContext, program: string): boolean => {
  const group = ruleBook.programs[program]?.group;
  const isTooEarly = step.unplaced === true && group !== undefined && needsPlacement.has(group);
  return step.closed !== true && !isTooEarly && whyItCannotRun(program, session, ruleBook) === undefined;
};

interface ProgramRequest extends OfferedProgram {
  readonly at: 'front' | 'end';
}

/** The session's client has found why the program failed; it runs next, until it has run. */
const retryOf = ({ session, ruleBook }: MenuContext): readonly ProgramRequest[] => {
  const { retry } = session.steering;
  if (retry === undefined || (session.programs.get(retry.program)?.lastTried ?? 0) > retry.after) return [];
  if (whyItCannotRun(retry.program, session, ruleBook) !== undefined) return [];
  return [{ program: retry.program, at: 'front', why: 'the client asked for another run in spite of its failure' }];
};

const startOf = (context: MenuContext): readonly ProgramRequest[] => {
  const program = context.session.directives.stop_conditions?.start_with_program;
  if (program === undefined) return [];
  const lastTried = context.session.programs.get(program)?.lastTried ?? 0;
  if (triedOf(context, program) && lastTried > context.session.requested.countedAfter('start_with_program')) return [];
  if (whyItCannotRun(program, context.session, context.ruleBook) !== undefined) return [];
  return [{ program, at: 'front', why: 'the submitter asked to start with it' }];
};

const goalOf = (context: MenuContext): readonly ProgramRequest[] => {
  const program = context.session.directives.stop_conditions?.after_program;
  if (program === undefined || !mayOffer(context, program)) return [];
  if (ranAfter(context, program, context.session.requested.countedAfter('after_program'))) return [];
  return [{ program, at: 'front', why: 'the submitter asked to stop after it' }];
};

const refinementFinished = { fact: 'refinement_finished', is: true } as const;

/** Programs that new advice requests when the workflow has nothing left to refine, one after the other in the order of the text. */
const adviceRequestsOf = (context: MenuContext): readonly ProgramRequest[] => {
  const { requested, facts } = context.session;
  if (!holds(refinementFinished, facts)) return [];
  const next = requested.left.find(({ program }) => mayOffer(context, program));
  return next === undefined ? [] : [{ program: next.program, at: 'front', why: 'the new advice asks for it' }];
};

/**
 * Settings offer their program and force nothing (phenix-agent.md#directives). After new advice a program that the step offers anyway comes
 * first with them.
 */
const settingsOf = (context: MenuContext): readonly ProgramRequest[] => {
  if (context.name === 'complete') return [];
  const isOfStep = (program: string): boolean => context.step.programs.some((one) => one.program === program);
  const hasRun = (program: string): boolean =>
    context.session.facts['advice_changed'] === true
      ? ranAfter(context, program, context.session.requested.changedAfter)
      : (context.session.programs.get(program)?.runs ?? 0) > 0;
  return Object.keys(context.session.directives.program_settings ?? {})
    .filter((program) => program !== 'default' && !hasRun(program) && mayOffer(context, program))
    .map((program) => ({
      program,
      at: context.session.facts['advice_changed'] === true && isOfStep(program) ? 'front' : 'end',
      why: 'the submitter gave settings for it',
    }));
};

/** Groups whose programs are alternatives: each leads to a model that fits. */
const alternatives: ReadonlySet<ProgramGroup> = new Set(['placement', 'building', 'map_improvement', 'refinement']);

const isAlternative = ({ ruleBook }: MenuContext, program: string): boolean =>
  alternatives.has(ruleBook.programs[program]?.group ?? 'analysis');

/** Whether a later step offers the program. */
const isInLaterStep = ({ name, session: { workflow } }: MenuContext, program: string): boolean => {
  const steps = Object.entries(workflow.steps);
  const here = steps.findIndex(([one]) => one === name);
  return steps.slice(here + 1).some(([, { programs }]) => programs.some((one) => one.program === program));
};

/**
 * A preference has no effect in a step that offers a single program. It may then select an alternative of another step that can run now and
 * has not been tried.
 */
const maySelectFromOtherStep = (context: MenuContext, program: string): boolean =>
  isAlternative(context, program) &&
  !triedOf(context, program) &&
  isInLaterStep(context, program) &&
  mayOffer(context, program);

const preferencesOf = (context: MenuContext, { offered }: Choices): readonly ProgramRequest[] => {
  const preferred = context.session.directives.workflow_preferences?.prefer_programs ?? [];
  const own = new Set(offered.map(({ program }) => program));
  const isAlone = own.size === 1 && [...own].every((one) => isAlternative(context, one) && !preferred.includes(one));
  return preferred
    .filter((name) => own.has(name) || (isAlone && maySelectFromOtherStep(context, name)))
    .map((program) => ({ program, at: 'front', why: 'the submitter prefers it' }));
};

/** A directive moves a program of the step to the front, or adds one from another step. */
const grant = (offered: readonly OfferedProgram[], wanted: ProgramRequest): readonly OfferedProgram[] => {
  const own = offered.find(({ program }) => program === wanted.program);
  if (own !== undefined && wanted.at === 'end') return offered;
  const others = offered.filter((one) => one !== own);
  const entry = { program: wanted.program, why: own?.why ?? wanted.why };
  return wanted.at === 'front' ? [entry, ...others] : [...others, entry];
};

/**
 * Layer 1 of the directives (phenix-agent.md#directives): adds the requested programs to the menu or moves them to its front. The directive
 * applied last comes first: a retry before start_with_program, after_program, new advice, settings and preferences. Skipped programs are
 * refused by their state.
 */
export const direct = (choices: Choices, context: MenuContext): Choices & { readonly applied: readonly string[] } => {
  const requests = [
    ...preferencesOf(context, choices).toReversed(),
    ...settingsOf(context),
    ...adviceRequestsOf(context),
    ...goalOf(context),
    ...startOf(context),
    ...retryOf(context),
  ];
  const offered = requests.reduce(grant, choices.offered);
  const names = new Set(offered.map(({ program }) => program));
  const own = new Set(choices.offered.map(({ program }) => program));
  const effective = requests.filter(({ program, at }) => at === 'front' || !own.has(program));
  return {
    offered,
    refused: choices.refused.filter(({ program }) => !names.has(program)),
    applied: effective.map(({ program, why }) => `${program}: ${why}`),
  };
};
