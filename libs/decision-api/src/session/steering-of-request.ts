import type { SessionSteering, StatedRecovery, StrategyValue } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import type { DecideRequest, RecoveryStrategy, SessionState } from '../request/decide-request';

/** `refine` is `phenix.refine`, as some clients say it. */
export const programNamed = (name: string, { programs }: RuleBook): string =>
  Object.hasOwn(programs, `phenix.${name}`) ? `phenix.${name}` : name;

/** A parameter that takes labels gets the main label of the array alone, as programs want it. */
const setOf = ({ flags, selected_label, selected_label_pair }: RecoveryStrategy): StatedRecovery['set'] =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]): [string, StrategyValue] => [
      name,
      selected_label !== null && value === selected_label_pair ? selected_label : value,
    ]),
  );

const recoveriesOf = ({ recovery_strategies }: SessionState, ruleBook: RuleBook): readonly StatedRecovery[] =>
  Object.entries(recovery_strategies).map(([file, strategy]) => ({
    file,
    programs: strategy.program_scope.map((name) => programNamed(name, ruleBook)),
    set: setOf(strategy),
    why: strategy.reason === '' ? 'the client has recovered from an error with this file' : strategy.reason,
  }));

/** What a client keeps and the history cannot tell. `after`: number of its last cycle, 0 for none. */
export const steeringOfRequest = (
  { session_state: state }: DecideRequest,
  after: number,
  ruleBook: RuleBook,
): SessionSteering => ({
  ...(state.advice_changed ? { adviceChangedAfter: after } : {}),
  ...(state.force_retry_program === null
    ? {}
    : { retry: { program: programNamed(state.force_retry_program, ruleBook), after } }),
  recoveries: recoveriesOf(state, ruleBook),
  blocked: state.session_blocked_programs.map((name) => programNamed(name, ruleBook)),
  refused: Object.fromEntries(
    Object.entries(state.bad_inject_params).map(([name, parameters]) => [programNamed(name, ruleBook), parameters]),
  ),
  bestFiles: state.best_files,
});
