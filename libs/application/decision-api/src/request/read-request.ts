import { Fault, type FieldProblem } from '@fleet/contracts/faults';
import type { ExperimentType } from '@fleet/contracts/sessions';
import {
  apiVersion,
  type DecideRequest,
  type DecideSettings,
  type HistoryEntry,
  type RecoveryStrategy,
  type SessionState,
} from './decide-request';
import {
  anyObjectUpTo,
  choice,
  emptyAs,
  flag,
  integerFrom,
  listOf,
  mapOf,
  metricsUpTo,
  objectOf,
  oneOrMany,
  path,
  positive,
  scalar,
  text,
  textUpTo,
  type Findings,
  type Schema,
} from './field-readers';

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
const maxTold = 100;

const metrics = metricsUpTo(maxNames, longestReport);
const names = listOf(text, maxNames);

const historyEntry = objectOf<HistoryEntry>({
  cycle: { read: integerFrom(0, maxCycles), otherwise: null, what: 'cycle number, ascending' },
  cycle_number: { read: integerFrom(0, maxCycles), otherwise: null, what: 'alias of cycle' },
  program: { read: text, what: 'for example phenix.refine' },
  command: { read: textUpTo(longestCommand), otherwise: '', what: 'the command as printed' },
  result: {
    read: text,
    otherwise: '',
    what: '"SUCCESS: …" or "FAILED: …"; a text with failure words counts as a failure',
  },
  output_files: { read: listOf(path, maxOutputs), otherwise: [], what: 'files that the program wrote' },
  analysis: { read: metrics, otherwise: {}, what: 'metrics by name (fractions, Å), or the text report of the metrics' },
  metrics: { read: metrics, otherwise: {}, what: 'alias of analysis' },
});

const recoveryStrategy = objectOf<RecoveryStrategy>({
  flags: { read: mapOf(scalar, maxNames), otherwise: {}, what: 'parameters by PHIL name' },
  program_scope: {
    read: names,
    otherwise: [],
    what: 'programs that receive them; empty: every program that accepts them',
  },
  reason: { read: text, otherwise: '', what: 'reason in one sentence' },
  selected_label: { read: emptyAs<string | null>(text, null), otherwise: null, what: 'main label of the chosen array' },
  selected_label_pair: { read: emptyAs<string | null>(text, null), otherwise: null, what: 'all labels of that array' },
});

const stateMembers: Parameters<typeof objectOf<SessionState>>[0] = {
  resolution: { read: positive, otherwise: null, what: 'Å' },
  experiment_type: {
    read: emptyAs<ExperimentType | null>(choice<ExperimentType>(['xray', 'cryoem']), null),
    otherwise: null,
    what: 'value locked for the session',
  },
  rfree_mtz: {
    read: emptyAs<string | null>(path, null),
    otherwise: null,
    what: 'reflection file with the locked R-free flags',
  },
  best_files: {
    read: mapOf(oneOrMany(path, maxOutputs), maxNames),
    otherwise: {},
    what: 'best file or files of each category',
  },
  log_program: { read: emptyAs<string | null>(text, null), otherwise: null, what: 'program that wrote `log_content`' },
  advice_changed: {
    read: flag,
    otherwise: false,
    what: 'the user gave new advice: a finished workflow continues once',
  },
  mtz_rfree_map: { read: mapOf(flag, maxFiles), otherwise: {}, what: 'whether reflection files have R-free flags' },
  input_mtz_has_rfree: { read: flag, otherwise: null, what: 'whether any submitted file has them' },
  directives: {
    read: anyObjectUpTo(maxNames),
    otherwise: {},
    what: "the user's directives (docs/directives.md)",
  },
  force_retry_program: {
    read: emptyAs<string | null>(text, null),
    otherwise: null,
    what: 'program that runs next even though it failed',
  },
  recovery_strategies: {
    read: mapOf(recoveryStrategy, maxOutputs),
    otherwise: {},
    what: 'changes for the next run on a file, by path',
  },
  session_blocked_programs: { read: names, otherwise: [], what: 'programs that no longer run in this session' },
  bad_inject_params: {
    read: mapOf(names, maxNames),
    otherwise: {},
    what: 'parameters that a program refused, by program',
  },
};

const settingMembers: Parameters<typeof objectOf<DecideSettings>>[0] = {
  provider: {
    read: text,
    otherwise: 'google',
    what: 'provider whose models choose from the menu, if the site has configured one; otherwise the rules choose',
  },
  abort_on_red_flags: { read: flag, otherwise: true, what: 'stop at critical red flags' },
  abort_on_warnings: { read: flag, otherwise: false, what: 'stop at warnings' },
  max_cycles: { read: integerFrom(1, maxCycles), otherwise: 20, what: 'stop after this many cycles' },
  use_rules_only: { read: flag, otherwise: false, what: 'decide without a language model' },
  maximum_automation: {
    read: flag,
    otherwise: true,
    what: 'false: predicted models are processed and placed step by step',
  },
};

const sessionState = objectOf(stateMembers);
const settings = objectOf(settingMembers);
const empty: Findings = { problems: [], ignored: [] };

const request = objectOf<DecideRequest>({
  api_version: { read: choice([apiVersion]), what: 'the only supported version' },
  client_version: { read: text, otherwise: null },
  files: { read: listOf(path, maxFiles), what: "paths on the client's machine" },
  cycle_number: { read: integerFrom(1, maxCycles), what: 'number of the cycle to decide' },
  log_content: { read: text, otherwise: '', what: 'log of the last program' },
  history: { read: listOf(historyEntry, maxHistory), otherwise: [], what: 'finished cycles, oldest first' },
  session_state: { read: sessionState, otherwise: sessionState({}, 'session_state', empty) as SessionState },
  user_advice: { read: text, otherwise: '', what: "the user's advice; used if `session_state` has no directives" },
  settings: { read: settings, otherwise: settings({}, 'settings', empty) as DecideSettings },
});

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
  const more = problems.length - maxTold;
  const shown: readonly FieldProblem[] =
    more > 0 ? [...problems.slice(0, maxTold), { field: 'request', reason: `${more} more problems` }] : problems;
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
