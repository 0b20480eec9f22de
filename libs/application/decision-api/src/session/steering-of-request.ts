import type { StrategyValue } from '@fleet/contracts/schema';
import type { SessionSteering, StatedRecovery } from '@fleet/contracts/sessions';
import { problemWithSetting, type RuleBook } from '@fleet/knowledge-model';
import type { DecideRequest, RecoveryStrategy, SessionState } from '../request/read-request';

/** `refine` is `phenix.refine`, as some clients write it. */
export const programNamed = (name: string, { programs }: RuleBook): string =>
  Object.hasOwn(programs, `phenix.${name}`) ? `phenix.${name}` : name;

/** A parameter that takes labels gets only the main label of the array, as programs require. */
const setOf = ({ flags, selected_label, selected_label_pair }: RecoveryStrategy): StatedRecovery['set'] =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]): [string, StrategyValue] => [
      name,
      selected_label !== null && value === selected_label_pair ? selected_label : value,
    ]),
  );

/** A client's recovery strategies, and their unusable parts, one sentence each. */
interface StatedRecoveries {
  readonly recoveries: readonly StatedRecovery[];
  readonly warnings: readonly string[];
}

/** A value of the wrong type, or for a parameter that no program in the scope has, is omitted with a warning. */
export const recoveriesOf = (
  { recovery_strategies }: Pick<SessionState, 'recovery_strategies'>,
  ruleBook: RuleBook,
): StatedRecoveries => {
  const warnings: string[] = [];
  const recoveries = Object.entries(recovery_strategies).map(([file, strategy]): StatedRecovery => {
    const programs = strategy.program_scope.map((name) => programNamed(name, ruleBook));
    const matching = Object.values(ruleBook.programs).filter(
      ({ name }) => programs.length === 0 || programs.includes(name),
    );
    const usable = Object.entries(setOf(strategy)).filter(([name, value]) => {
      const problem = problemWithSetting(name, value, matching);
      const field = `session_state.recovery_strategies.${file}.flags.${name}`;
      if (problem !== undefined) warnings.push(`${field} is left out: it ${problem.reason}`);
      return problem === undefined;
    });
    const why = strategy.reason === '' ? 'the client has recovered from an error with this file' : strategy.reason;
    return { file, programs, set: Object.fromEntries(usable), why };
  });
  return { recoveries, warnings };
};

/** Client state that is not in the history. `after`: number of its last cycle, 0 for none. */
export const steeringOfRequest = (
  { cycle_number, session_state: state }: DecideRequest,
  after: number,
  recoveries: readonly StatedRecovery[],
  ruleBook: RuleBook,
): SessionSteering => ({
  cyclesDone: cycle_number - 1,
  ...(state.advice_changed ? { adviceChangedAfter: after } : {}),
  ...(state.force_retry_program === null
    ? {}
    : { retry: { program: programNamed(state.force_retry_program, ruleBook), after } }),
  recoveries,
  blocked: state.session_blocked_programs.map((name) => programNamed(name, ruleBook)),
  refused: Object.fromEntries(
    Object.entries(state.bad_inject_params).map(([name, parameters]) => [programNamed(name, ruleBook), parameters]),
  ),
  bestFiles: state.best_files,
});
