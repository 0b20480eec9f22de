import { holds, type ProgramGroup, type RuleBook, type WorkflowStep } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import { whyItCannotRun, type OfferedProgram, type NotOfferedProgram } from './not-offered';

/** Groups whose programs need a model that is in its place. */
const needsPlacement: ReadonlySet<ProgramGroup> = new Set(['refinement', 'ligand', 'map_analysis', 'validation']);

interface Place {
  readonly name: string;
  readonly step: WorkflowStep;
  readonly session: DescribedSession;
  readonly ruleBook: RuleBook;
}

interface Choices {
  readonly offered: readonly OfferedProgram[];
  readonly refused: readonly NotOfferedProgram[];
}

const ranAfter = ({ session }: Place, program: string, cycle: number): boolean =>
  (session.programs.get(program)?.last ?? 0) > cycle;

const triedOf = ({ session }: Place, program: string): boolean => {
  const state = session.programs.get(program);
  return state !== undefined && state.runs + state.fails > 0;
};

/** Whether the step may take in a program of another one. */
const takes = ({ step, session, ruleBook }: Place, program: string): boolean => {
  const group = ruleBook.programs[program]?.group;
  const isTooEarly = step.unplaced === true && group !== undefined && needsPlacement.has(group);
  return step.closed !== true && !isTooEarly && whyItCannotRun(program, session, ruleBook) === undefined;
};

interface Wish extends OfferedProgram {
  readonly at: 'front' | 'end';
}

/** The keeper of the session has understood why it failed; it runs next, until it has run. */
const retryOf = ({ session, ruleBook }: Place): readonly Wish[] => {
  const { retry } = session.steering;
  if (retry === undefined || (session.programs.get(retry.program)?.lastTried ?? 0) > retry.after) return [];
  if (whyItCannotRun(retry.program, session, ruleBook) !== undefined) return [];
  return [{ program: retry.program, at: 'front', why: 'the client asked for another run in spite of its failure' }];
};

const startOf = (place: Place): readonly Wish[] => {
  const program = place.session.directives.stop_conditions?.start_with_program;
  if (program === undefined) return [];
  const lastTried = place.session.programs.get(program)?.lastTried ?? 0;
  if (triedOf(place, program) && lastTried > place.session.asked.countedAfter('start_with_program')) return [];
  if (whyItCannotRun(program, place.session, place.ruleBook) !== undefined) return [];
  return [{ program, at: 'front', why: 'the submitter asked to start with it' }];
};

const goalOf = (place: Place): readonly Wish[] => {
  const program = place.session.directives.stop_conditions?.after_program;
  if (program === undefined || !takes(place, program)) return [];
  if (ranAfter(place, program, place.session.asked.countedAfter('after_program'))) return [];
  return [{ program, at: 'front', why: 'the submitter asked to stop after it' }];
};

const refinementFinished = { fact: 'refinement_finished', is: true } as const;

/** What new advice wants to run where the workflow has nothing left to refine: one program after the other, in the order of the words. */
const askedOf = (place: Place): readonly Wish[] => {
  const { asked, facts } = place.session;
  if (!holds(refinementFinished, facts)) return [];
  const next = asked.left.find(({ program }) => takes(place, program));
  return next === undefined ? [] : [{ program: next.program, at: 'front', why: 'the new advice asks for it' }];
};

/** Settings add their program and force nothing (phenix-agent.md#directives); after new advice a program that the step has anyway goes first with them. */
const settingsOf = (place: Place): readonly Wish[] => {
  if (place.name === 'complete') return [];
  const isOfStep = (program: string): boolean => place.step.programs.some((one) => one.program === program);
  const hasRun = (program: string): boolean =>
    place.session.facts['advice_changed'] === true
      ? ranAfter(place, program, place.session.asked.changedAfter)
      : (place.session.programs.get(program)?.runs ?? 0) > 0;
  return Object.keys(place.session.directives.program_settings ?? {})
    .filter((program) => program !== 'default' && !hasRun(program) && takes(place, program))
    .map((program) => ({
      program,
      at: place.session.facts['advice_changed'] === true && isOfStep(program) ? 'front' : 'end',
      why: 'the submitter gave settings for it',
    }));
};

/** Groups whose programs are ways to the same end, a model that fits: one may stand in for another. */
const alternatives: ReadonlySet<ProgramGroup> = new Set(['placement', 'building', 'map_improvement', 'refinement']);

const isAlternative = ({ ruleBook }: Place, program: string): boolean =>
  alternatives.has(ruleBook.programs[program]?.group ?? 'analysis');

/** Some later step has the program. */
const liesAhead = ({ name, session: { workflow } }: Place, program: string): boolean => {
  const steps = Object.entries(workflow.steps);
  const here = steps.findIndex(([one]) => one === name);
  return steps.slice(here + 1).some(([, { programs }]) => programs.some((one) => one.program === program));
};

/**
 * A step that offers one program alone leaves no choice to a preference; then it reaches past the step, to another way to a model that can run
 * now and has not been tried.
 */
const reachesPast = (place: Place, program: string): boolean =>
  isAlternative(place, program) && !triedOf(place, program) && liesAhead(place, program) && takes(place, program);

const preferencesOf = (place: Place, { offered }: Choices): readonly Wish[] => {
  const preferred = place.session.directives.workflow_preferences?.prefer_programs ?? [];
  const own = new Set(offered.map(({ program }) => program));
  const isAlone = own.size === 1 && [...own].every((one) => isAlternative(place, one) && !preferred.includes(one));
  return preferred
    .filter((name) => own.has(name) || (isAlone && reachesPast(place, name)))
    .map((program) => ({ program, at: 'front', why: 'the submitter prefers it' }));
};

/** A wish moves a program of the step to the front, or brings one in from elsewhere. */
const grant = (offered: readonly OfferedProgram[], wish: Wish): readonly OfferedProgram[] => {
  const own = offered.find(({ program }) => program === wish.program);
  if (own !== undefined && wish.at === 'end') return offered;
  const others = offered.filter((one) => one !== own);
  const entry = { program: wish.program, why: own?.why ?? wish.why };
  return wish.at === 'front' ? [entry, ...others] : [...others, entry];
};

/**
 * Layer 1 of the directives (phenix-agent.md#directives): what the submitter wants comes into the menu or to its front. The last one granted stands
 * first: a retry before start_with_program before after_program before what new advice asks for before settings before preferences. Skipped programs are refused by their state.
 */
export const direct = (choices: Choices, place: Place): Choices & { readonly applied: readonly string[] } => {
  const wishes = [
    ...preferencesOf(place, choices).toReversed(),
    ...settingsOf(place),
    ...askedOf(place),
    ...goalOf(place),
    ...startOf(place),
    ...retryOf(place),
  ];
  const offered = wishes.reduce(grant, choices.offered);
  const names = new Set(offered.map(({ program }) => program));
  const own = new Set(choices.offered.map(({ program }) => program));
  const changing = wishes.filter(({ program, at }) => at === 'front' || !own.has(program));
  return {
    offered,
    refused: choices.refused.filter(({ program }) => !names.has(program)),
    applied: changing.map(({ program, why }) => `${program}: ${why}`),
  };
};
