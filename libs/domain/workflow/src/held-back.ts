import { heldRequests, type HeldRequest } from '@fleet/advice';
import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { StrategyValue } from '@fleet/contracts/schema';
import { metricValue, type ExperimentType } from '@fleet/contracts/sessions';
import type { ProgramKnowledge, RuleBook } from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle } from './workflow-input';

/** A value that a condition of the submitter sets until the condition is met. */
export interface HeldSetting {
  readonly program: string;
  readonly key: string;
  readonly value: StrategyValue;
  /** The submitter's words. */
  readonly words: string;
}

/** What the submitter's conditions hold back now. */
export interface HeldBack {
  /** Programs, each with the reason. */
  readonly programs: ReadonlyMap<string, string>;
  readonly settings: readonly HeldSetting[];
}

type Programs = Readonly<Record<string, ProgramKnowledge>>;

/** Once reached, a metric stays reached, whatever the values of a later model. */
const isReached = ({ metric, below }: HeldRequest, cycles: readonly AnalysedCycle[], programs: Programs): boolean =>
  cycles.some((cycle) => {
    const isRefinement = programs[cycle.decision.program]?.group === 'refinement';
    const value = isRefinement && succeeded(cycle) ? metricValue(cycle.result, metric) : undefined;
    return value !== undefined && value < below;
  });

/** What is held back after these cycles. */
export const heldBack = (
  { constraints = [] }: SessionDirectives,
  cycles: readonly AnalysedCycle[],
  experiment: ExperimentType,
  ruleBook: RuleBook,
): HeldBack => {
  const requests = heldRequests(constraints, ruleBook, experiment);
  const pending = requests.filter((request) => !isReached(request, cycles, ruleBook.programs));
  return {
    programs: new Map(
      pending.flatMap(({ programs: names, words }) =>
        names.map((name): [string, string] => [name, `the submitter waits: "${words}"`]),
      ),
    ),
    settings: pending.flatMap(({ settings, words }) => settings.map((one) => ({ ...one, words }))),
  };
};

/** Whether the submitter has switched a key of a program off, permanently or until a condition is met. */
export const isSwitchedOff = (
  { program, key }: Pick<HeldSetting, 'program' | 'key'>,
  { program_settings = {} }: SessionDirectives,
  { settings }: HeldBack,
): boolean =>
  (program_settings[program]?.[key] ?? program_settings['default']?.[key]) === false ||
  settings.some((held) => held.program === program && held.key === key && held.value === false);
