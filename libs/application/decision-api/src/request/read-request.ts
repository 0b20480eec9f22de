import { Fault, type FieldProblem } from '@fleet/contracts/faults';
import { experimentTypes } from '@fleet/contracts/sessions';
import {
  anyObjectUpTo,
  choice,
  emptyAsNull,
  flag,
  integerFrom,
  listOf,
  mapOf,
  metricsUpTo,
  nullable,
  objectOf,
  oneOrMany,
  path,
  positive,
  required,
  scalar,
  text,
  textUpTo,
  usual,
  type Findings,
  type ReadBy,
  type Schema,
} from './field-readers';

/** The only version of this API. */
export const apiVersion = '2.0';

/** The client chooses cycle numbers; no real session has this many. */
const maxCycles = 100_000;
/** Protects against requests that are too expensive. */
const maxFiles = 5_000;
const maxHistory = 1_000;
/** Outputs of one cycle, and of all of them. */
const maxOutputs = 1_000;
const maxOutputsOfAll = 10_000;
/** Names of categories, programs, parameters and metrics: the largest of these lists in the rules has under a hundred. */
const maxNames = 500;
/** Characters. Clients send 2000 at most (knowledge/transport.yaml). */
const longestCommand = 10_000;
/** Maximum length of a metrics report. */
const longestReport = 20_000;
/** Maximum nesting depth; no valid request has ten levels. */
const maxLevels = 64;
/** Maximum number of reported problems. */
const maxReported = 100;

const metrics = metricsUpTo(maxNames, longestReport);
const names = listOf(text, maxNames);
const name = emptyAsNull(text);

/** One cycle of the client's session. Some clients send `cycle_number` and `metrics` for `cycle` and `analysis`. */
const historyEntry = objectOf({
  cycle: nullable(integerFrom(0, maxCycles), 'cycle number, ascending'),
  cycle_number: nullable(integerFrom(0, maxCycles), 'alias of cycle'),
  program: required(text, 'for example phenix.refine'),
  command: usual(textUpTo(longestCommand), '', 'the command as printed'),
  result: usual(text, '', '"SUCCESS: …" or "FAILED: …"; a text with failure words counts as a failure'),
  output_files: usual(listOf(path, maxOutputs), [], 'files that the program wrote'),
  analysis: usual(metrics, {}, 'metrics by name (fractions, Å), or the text report of the metrics'),
  metrics: usual(metrics, {}, 'alias of analysis'),
});
export type HistoryEntry = ReadBy<typeof historyEntry>;

/** A client's correction after an error with one of its files. */
const recoveryStrategy = objectOf({
  flags: usual(mapOf(scalar, maxNames), {}, 'parameters by PHIL name'),
  program_scope: usual(names, [], 'programs that receive them; empty: every program that accepts them'),
  reason: usual(text, '', 'reason in one sentence'),
  selected_label: nullable(name, 'main label of the chosen array'),
  selected_label_pair: nullable(name, 'all labels of that array'),
});
export type RecoveryStrategy = ReadBy<typeof recoveryStrategy>;

/** The state that the client keeps between its requests; the service keeps none. */
const sessionState = objectOf({
  resolution: nullable(positive, 'Å'),
  experiment_type: nullable(emptyAsNull(choice(experimentTypes)), 'value locked for the session'),
  rfree_mtz: nullable(emptyAsNull(path), 'reflection file with the locked R-free flags'),
  best_files: usual(mapOf(oneOrMany(path, maxOutputs), maxNames), {}, 'best file or files of each category'),
  log_program: nullable(name, 'program that wrote `log_content`'),
  advice_changed: usual(flag, false, 'the user gave new advice: a finished workflow continues once'),
  mtz_rfree_map: usual(mapOf(flag, maxFiles), {}, 'whether reflection files have R-free flags'),
  input_mtz_has_rfree: nullable(flag, 'whether any submitted file has them'),
  directives: usual(anyObjectUpTo(maxNames), {}, "the user's directives (docs/directives.md)"),
  force_retry_program: nullable(name, 'program that runs next even though it failed'),
  recovery_strategies: usual(mapOf(recoveryStrategy, maxOutputs), {}, 'changes for the next run on a file, by path'),
  session_blocked_programs: usual(names, [], 'programs that no longer run in this session'),
  bad_inject_params: usual(mapOf(names, maxNames), {}, 'parameters that a program refused, by program'),
});
export type SessionState = ReadBy<typeof sessionState>;

const settings = objectOf({
  provider: usual(
    text,
    'google',
    'provider whose models choose from the menu, if the site has configured one; otherwise the rules choose',
  ),
  abort_on_red_flags: usual(flag, true, 'stop at critical red flags'),
  abort_on_warnings: usual(flag, false, 'stop at warnings'),
  max_cycles: usual(integerFrom(1, maxCycles), 20, 'stop after this many cycles'),
  use_rules_only: usual(flag, false, 'decide without a language model'),
  maximum_automation: usual(flag, true, 'false: predicted models are processed and placed step by step'),
});
export type DecideSettings = ReadBy<typeof settings>;

const empty: Findings = { problems: [], ignored: [] };

const request = objectOf({
  api_version: required(choice([apiVersion]), 'the only supported version'),
  client_version: nullable(text),
  files: required(listOf(path, maxFiles), "paths on the client's machine"),
  cycle_number: required(integerFrom(1, maxCycles), 'number of the cycle to decide'),
  log_content: usual(text, '', 'log of the last program'),
  history: usual(listOf(historyEntry, maxHistory), [], 'finished cycles, oldest first'),
  session_state: usual(sessionState, sessionState({}, 'session_state', empty) as SessionState),
  user_advice: usual(text, '', "the user's advice; used if `session_state` has no directives"),
  settings: usual(settings, settings({}, 'settings', empty) as DecideSettings),
});
/** A v2 request with all defaults (phenix-agent.md#requests-and-responses). */
export type DecideRequest = ReadBy<typeof request>;

/** JSON Schema (draft 2020-12) of a v2 request, generated from its readers. Unknown members are ignored. */
export const decideRequestSchema: Schema = {
  ...request.schema,
  title: 'DecideRequest',
  description: 'A v2 decision request; null means absent.',
};

export interface ReadRequest {
  readonly request: DecideRequest;
  /** Paths of unknown fields. */
  readonly ignored: readonly string[];
}

/** Iterative, because recursion would overflow on deeply nested documents. */
const isTooDeep = (document: unknown): boolean => {
  let level: readonly unknown[] = [document];
  for (let depth = 0; depth <= maxLevels && level.length > 0; depth += 1)
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  return level.length > 0;
};

/** Lists that are within their limits individually, but not in total. */
const sumProblems = ({ history, session_state: { best_files } }: DecideRequest): readonly FieldProblem[] => {
  const outputs = history.reduce((sum, { output_files }) => sum + output_files.length, 0);
  const best = Object.values(best_files).reduce((sum, paths) => sum + paths.length, 0);
  return [
    ...(outputs > maxOutputsOfAll
      ? [{ field: 'history[].output_files', reason: `${outputs} in all`, allowed: `at most ${maxOutputsOfAll}` }]
      : []),
    ...(best > maxFiles
      ? [{ field: 'session_state.best_files', reason: `${best} paths in all`, allowed: `at most ${maxFiles}` }]
      : []),
  ];
};

const refuse = (problems: readonly FieldProblem[]): never => {
  const more = problems.length - maxReported;
  const shown: readonly FieldProblem[] =
    more > 0 ? [...problems.slice(0, maxReported), { field: 'request', reason: `${more} more problems` }] : problems;
  const list = shown.map(
    ({ field, reason, allowed }) => `${field}: ${reason}${allowed === undefined ? '' : ` (${allowed})`}`,
  );
  throw new Fault('request.invalid', 'caller', `Invalid request: ${list.join('; ')}`, { problems: shown });
};

/**
 * Reads a v2 request with defaults. Every list has a limit, which bounds the cost of a request.
 * @throws Fault `request.invalid` (the caller's) with every problem; of more than a hundred the first ones, and the number of the others
 */
export const readRequest = (document: unknown): ReadRequest => {
  if (isTooDeep(document)) {
    const allowed = `at most ${maxLevels} levels of objects and lists`;
    return refuse([{ field: 'request', reason: 'is nested too deeply', allowed }]);
  }
  const findings: Findings = { problems: [], ignored: [] };
  const found = request(document, '', findings);
  if (found === undefined || findings.problems.length > 0) return refuse(findings.problems);
  const sums = sumProblems(found);
  return sums.length === 0 ? { request: found, ignored: findings.ignored } : refuse(sums);
};
