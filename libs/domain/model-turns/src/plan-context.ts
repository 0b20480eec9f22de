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

/** A program of the menu, or STOP, with the keys that a model may set. */
interface PlanChoice {
  readonly program: string;
  readonly purpose: string;
  readonly keys: readonly { readonly key: string; readonly allowed: string }[];
}

/** The input for choosing the next program. It excludes the submitter's name, the proposal, the title and folders. */
export interface PlanContext {
  readonly experiment: string;
  readonly state: string;
  readonly step: string;
  readonly cycle: number;
  readonly menu: readonly PlanChoice[];
  /** Findings of the rules. */
  readonly situation: readonly string[];
  readonly advice: string;
  /** One line per cycle, oldest first. */
  readonly history: readonly string[];
  readonly files: readonly string[];
  /** Choices that were tried in this decision and cannot run. */
  readonly refused: readonly string[];
}

/** The sources of the context. */
export interface PlanSources {
  readonly session: Session;
  readonly described: DescribedSession;
  readonly menu: Menu;
  /** Remaining choices of this decision. */
  readonly offered: readonly OfferedProgram[];
  readonly rejections: readonly { readonly program: string; readonly why: string }[];
  readonly ruleBook: Pick<RuleBook, 'programs'>;
}

const mostCycles = 12;
const mostMetrics = 12;
const mostFiles = 20;

/** Keys that a model may set now: known to the program, not a name of an output or of a ligand, and with a condition that holds. */
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

/** STOP as a choice, if the workflow may end too. */
const stopChoice = ({ menu, described }: PlanSources): readonly PlanChoice[] => {
  if (!mayStop(menu)) return [];
  const purpose = endsAtOnce(described)
    ? 'run nothing more, the session ends with what it has'
    : 'run nothing more but the validation, without which no session ends';
  return [{ program: STOP, purpose, keys: [] }];
};

/**
 * A cycle in one line, with its first numbers. Output of a program that reads a compound is excluded, because it may contain the compound
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

/** Converts a session to the input of a model. */
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
