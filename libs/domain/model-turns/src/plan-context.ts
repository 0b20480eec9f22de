import { basename } from 'node:path/posix';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import {
  allowedValues,
  holds,
  isOwnParameter,
  type ProgramKnowledge,
  type RuleBook,
  type StrategyKey,
} from '@fleet/knowledge-model';
import {
  endsAtOnce,
  mayStop,
  sanityIssues,
  STOP,
  type DescribedSession,
  type Menu,
  type OfferedProgram,
} from '@fleet/workflow';

/** A program of the menu, or STOP, with what a model may set. */
interface PlanChoice {
  readonly program: string;
  readonly purpose: string;
  readonly keys: readonly { readonly key: string; readonly allowed: string }[];
}

/** All that a model is told to choose the next program. The submitter's name, the proposal, the title and folders are no part of it. */
export interface PlanContext {
  readonly experiment: string;
  readonly state: string;
  readonly step: string;
  readonly cycle: number;
  readonly menu: readonly PlanChoice[];
  /** What the rules found. */
  readonly situation: readonly string[];
  readonly advice: string;
  /** One line a cycle, oldest first. */
  readonly history: readonly string[];
  readonly files: readonly string[];
  /** What was tried in this decision and cannot run. */
  readonly refused: readonly string[];
}

/** What the context is made of. */
export interface PlanSources {
  readonly session: Session;
  readonly described: DescribedSession;
  readonly menu: Menu;
  /** What this decision may still choose. */
  readonly offered: readonly OfferedProgram[];
  readonly rejections: readonly { readonly program: string; readonly why: string }[];
  readonly ruleBook: Pick<RuleBook, 'programs'>;
}

const mostCycles = 12;
const mostMetrics = 12;
const mostFiles = 20;

/** Keys that a model may set now: known to the program, no name of an output or of a ligand, and not held back by their condition. */
export const settableKeys = (
  { strategy }: Pick<ProgramKnowledge, 'strategy'>,
  { facts }: Pick<DescribedSession, 'facts'>,
): readonly StrategyKey[] =>
  strategy.filter((one) => !isOwnParameter(one) && (one.when === undefined || holds(one.when, facts)));

const choiceOf = (program: string, { ruleBook, described }: PlanSources): PlanChoice => {
  const knowledge = ruleBook.programs[program];
  const keys = knowledge === undefined ? [] : settableKeys(knowledge, described);
  return {
    program,
    purpose: knowledge?.purpose ?? '',
    keys: keys.map((one) => ({ key: one.key, allowed: allowedValues(one) })),
  };
};

/** The end as a choice, where the workflow may end as well. */
const stopChoice = ({ menu, described }: PlanSources): readonly PlanChoice[] => {
  if (!mayStop(menu)) return [];
  const purpose = endsAtOnce(described)
    ? 'run nothing more, the session ends with what it has'
    : 'run nothing more but the validation, without which no session ends';
  return [{ program: STOP, purpose, keys: [] }];
};

/**
 * A cycle in one line, with its first numbers. What a program has said that was given a compound is left out: it may be the compound
 * (docs/what-leaves-the-site.md).
 */
export const historyLine = (
  { cycle, decision, result }: CycleRecord,
  { programs }: Pick<RuleBook, 'programs'>,
): string => {
  const metrics = (result?.metrics ?? [])
    .filter(({ value }) => typeof value === 'number')
    .slice(0, mostMetrics)
    .map(({ name, value }) => `${name}=${String(value)}`);
  const summary = programs[decision.program]?.reads_compounds === undefined ? `: ${result?.summary ?? ''}` : '';
  const outcome = result === undefined ? 'no result' : `${result.outcome}${summary}`;
  return [`cycle ${cycle}: ${decision.program} ${outcome}`, ...metrics].join(' ');
};

const fileLines = ({ files }: DescribedSession): readonly string[] => {
  const best = [...files.best].map(([category, { file }]) => `best ${category}: ${basename(file.path)}`);
  return [...best, ...files.all.slice(-mostFiles).map(({ path }) => basename(path))];
};

/** Puts a session into what a model receives. */
export const planContextOf = (sources: PlanSources): PlanContext => {
  const { session, described, menu, offered, rejections } = sources;
  return {
    experiment: described.experiment,
    state: menu.state,
    step: menu.step,
    cycle: session.cycle,
    menu: [...offered.map(({ program }) => choiceOf(program, sources)), ...stopChoice(sources)],
    situation: [
      menu.why,
      ...offered.map(({ program, why }) => `${program}: ${why}`),
      ...sanityIssues(described).map(({ message }) => message),
    ],
    advice: session.guidance?.reading.text ?? session.request.advice,
    history: session.cycles.slice(-mostCycles).map((cycle) => historyLine(cycle, sources.ruleBook)),
    files: fileLines(described),
    refused: rejections.map(({ program, why }) => `${program}: ${why}`),
  };
};
