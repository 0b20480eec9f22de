import type { Session, SessionStop } from '@fleet/contracts/sessions';
import { fillTemplate, holds, type Facts, type RuleBook } from '@fleet/knowledge-model';
import { describeSession, type DescribedSession } from './describe-session';
import { openMenu, STOP, type Menu } from './menu';
import type { NotOfferedProgram } from './not-offered';
import { abortingIssue, sanityIssues } from './sanity';
import { scientificCycles, succeeded, type WorkflowInput } from './workflow-input';

const afterCycleOf = (session: Pick<Session, 'cycles'>): number => session.cycles.at(-1)?.cycle ?? 0;

const stopByRule = (described: DescribedSession, menu: Menu, afterCycle: number): SessionStop | undefined => {
  // A requested program can still run after the workflow itself is complete.
  const step = menu.step === 'complete' && menu.offered.length > 0 ? 'asked_for' : menu.step;
  const facts: Facts = { ...described.facts, step, menu_empty: menu.offered.length === 0 };
  const rule = described.workflow.stops.find(({ when }) => holds(when, facts));
  if (rule === undefined) return undefined;
  const notes = (rule.notes ?? [])
    .filter(({ when }) => holds(when, facts))
    .map(({ text }) => fillTemplate(text, facts));
  return { reason: rule.reason, detail: [fillTemplate(rule.detail, facts), ...notes].join(' '), afterCycle };
};

/** A program may be in a step twice. */
const textOf = (refusals: readonly NotOfferedProgram[]): string =>
  [...new Set(refusals.map(({ program, why }) => `${program}: ${why}`))].join('; ');

/** The stop with advice on what to do next, from the knowledge. */
export const advised = (stop: SessionStop, facts: Facts, { stopWords }: Pick<RuleBook, 'stopWords'>): SessionStop => {
  const sentences = stopWords[stop.reason].said.filter(({ when }) => when === undefined || holds(when, facts));
  return { ...stop, detail: [stop.detail, ...sentences.map(({ text }) => fillTemplate(text, facts))].join(' ') };
};

/** The step's own programs that are not offered for the given reason, the preferred one first. */
const ofStep = (
  described: DescribedSession,
  menu: Menu,
  reason: NotOfferedProgram['reason'],
): readonly NotOfferedProgram[] => {
  const own = described.workflow.steps[menu.step]?.programs ?? [];
  /** For a program that is in a step twice, the entry counts at which it would have been offered. */
  const rankOf = (name: string): number =>
    own.findIndex(({ program, when }) => program === name && (when === undefined || holds(when, described.facts)));
  return menu.refused
    .filter((refusal) => own.some(({ program }) => program === refusal.program) && refusal.reason === reason)
    .toSorted((one, other) => rankOf(one.program) - rankOf(other.program));
};

const failureCause = (session: Pick<Session, 'cycles'>, failed: readonly NotOfferedProgram[]): string => {
  const names = new Set(failed.map(({ program }) => program));
  const cycle = scientificCycles(session).findLast((one) => names.has(one.decision.program) && !succeeded(one));
  return cycle === undefined
    ? textOf(failed)
    : `${cycle.decision.program} failed in cycle ${cycle.cycle}: ${cycle.result.summary}`;
};

/**
 * Why a session with an empty menu ends: a program of its step failed, is not installed, or nothing is left to do. Rules for a finished
 * workflow come first. `advised` adds what to do next.
 */
export const stopOfEmptyMenu = (
  described: DescribedSession,
  menu: Menu,
  session: Pick<Session, 'cycles'>,
): SessionStop => {
  const afterCycle = afterCycleOf(session);
  const byRule = stopByRule(described, menu, afterCycle);
  if (byRule !== undefined) return byRule;
  const failed = ofStep(described, menu, 'failed');
  if (failed.length > 0) return { reason: 'program_failed', detail: failureCause(session, failed), afterCycle };
  const missing = ofStep(described, menu, 'not_installed').concat(
    ofStep(described, menu, 'blocked'),
    ofStep(described, menu, 'skipped'),
  );
  if (missing.length > 0) {
    return {
      reason: 'no_program',
      detail: `The next step cannot run here: ${menu.why}. ${textOf(missing)}.`,
      afterCycle,
    };
  }
  const blocked = described.workflow.steps[menu.step]?.blocked;
  if (blocked !== undefined)
    return { reason: blocked.reason, detail: fillTemplate(blocked.detail, described.facts), afterCycle };
  const all = ofStep(described, menu, 'requirement').concat(
    ofStep(described, menu, 'condition'),
    ofStep(described, menu, 'done'),
  );
  return {
    reason: 'no_program',
    detail: `No program can do the step "${menu.step}" (${menu.why}). ${textOf(all)}.`,
    afterCycle,
  };
};

/** If STOP is on the menu and none of its programs can run, the session ends as its finished workflow does. */
export const stopOnMenu = (
  described: DescribedSession,
  menu: Menu,
  session: Pick<Session, 'cycles'>,
): SessionStop | undefined =>
  menu.validPrograms.includes(STOP)
    ? stopOfEmptyMenu(described, { ...menu, step: 'complete', offered: [] }, session)
    : undefined;

/** A sanity issue says more than an empty menu; the next decision ends the session with it. */
const isFlagged = (described: DescribedSession, { session }: WorkflowInput): boolean =>
  abortingIssue(sanityIssues(described), session.request.settings) !== undefined;

/**
 * The stop after the last cycle of a session that is already described; see `shouldStopAfter`.
 * @param menu the whole menu of `described`
 */
export const stopOf = (described: DescribedSession, menu: Menu, input: WorkflowInput): SessionStop | undefined => {
  const stop = stopByRule(described, menu, afterCycleOf(input.session));
  const isSuspended = described.facts['advice_changed'] === true && menu.offered.length > 0;
  const withAdvice = (plainStop: SessionStop): SessionStop => advised(plainStop, described.facts, input.ruleBook);
  if (stop !== undefined && (!isSuspended || stop.reason === 'max_cycles')) return withAdvice(stop);
  if (menu.offered.length > 0 || isFlagged(described, input)) return undefined;
  return withAdvice(stopOfEmptyMenu(described, menu, input.session));
};

/**
 * The only function that evaluates stop conditions, after a cycle was executed and analysed. `session` holds the new cycle's result.
 * Undefined: the session continues. New advice suspends every condition except the cycle limit until one cycle has followed it
 * (phenix-agent.md#extending-a-completed-workflow).
 */
export const shouldStopAfter = (input: WorkflowInput): SessionStop | undefined => {
  const described = describeSession(input);
  return stopOf(described, openMenu(described, input.ruleBook), input);
};
