import { Fault, type ExperimentType } from '@fleet/contracts';
import {
  apiVersion,
  type DecideRequest,
  type DecideSettings,
  type HistoryEntry,
  type RecoveryStrategy,
  type SessionState,
} from './decide-request';
import {
  anyObject,
  choice,
  emptyAs,
  flag,
  integerFrom,
  listOf,
  mapOf,
  metrics,
  objectOf,
  oneOrMany,
  path,
  positive,
  scalar,
  text,
  type Findings,
  type Schema,
} from './field-readers';

/** Cycle numbers are the client's own; nobody has this many. */
const mostCycles = 100_000;
/** More would cost more to decide than any session is worth. */
const mostFiles = 5_000;
const mostHistory = 1_000;

const historyEntry = objectOf<HistoryEntry>({
  cycle: { read: integerFrom(0, mostCycles), otherwise: null, what: 'its number; rising' },
  cycle_number: { read: integerFrom(0, mostCycles), otherwise: null, what: 'another name of cycle' },
  program: { read: text, what: 'for example phenix.refine' },
  command: { read: text, otherwise: '', what: 'as it was printed' },
  result: { read: text, otherwise: '', what: '"SUCCESS: …" or "FAILED: …"; failure words make it a failure' },
  output_files: { read: listOf(path), otherwise: [], what: 'what the program wrote' },
  analysis: { read: metrics, otherwise: {}, what: 'metrics by name; fractions, Å' },
  metrics: { read: metrics, otherwise: {}, what: 'another name of analysis' },
});

const recoveryStrategy = objectOf<RecoveryStrategy>({
  flags: { read: mapOf(scalar), otherwise: {}, what: 'parameters by PHIL name' },
  program_scope: { read: listOf(text), otherwise: [], what: 'programs that get them; none: every one that knows them' },
  reason: { read: text, otherwise: '', what: 'why, one sentence' },
  selected_label: { read: emptyAs<string | null>(text, null), otherwise: null, what: 'main label of the chosen array' },
  selected_label_pair: { read: emptyAs<string | null>(text, null), otherwise: null, what: 'all labels of that array' },
});

const stateMembers: Parameters<typeof objectOf<SessionState>>[0] = {
  resolution: { read: positive, otherwise: null, what: 'Å' },
  experiment_type: {
    read: emptyAs<ExperimentType | null>(choice<ExperimentType>(['xray', 'cryoem']), null),
    otherwise: null,
    what: 'locked for the session',
  },
  rfree_mtz: {
    read: emptyAs<string | null>(path, null),
    otherwise: null,
    what: 'reflection file whose R-free flags are locked',
  },
  best_files: { read: mapOf(oneOrMany(path)), otherwise: {}, what: 'best file or files of each category' },
  log_program: { read: emptyAs<string | null>(text, null), otherwise: null, what: 'program that wrote log_content' },
  advice_changed: {
    read: flag,
    otherwise: false,
    what: 'the user said something new: a finished workflow goes on once',
  },
  mtz_rfree_map: { read: mapOf(flag), otherwise: {}, what: 'whether reflection files hold R-free flags' },
  input_mtz_has_rfree: { read: flag, otherwise: null, what: 'the same for all submitted files' },
  directives: { read: anyObject, otherwise: {}, what: 'structured wishes of the user (seed 001)' },
  force_retry_program: {
    read: emptyAs<string | null>(text, null),
    otherwise: null,
    what: 'program that runs next, in spite of its failure',
  },
  recovery_strategies: {
    read: mapOf(recoveryStrategy),
    otherwise: {},
    what: 'what the next run on a file does differently, by path',
  },
  session_blocked_programs: { read: listOf(text), otherwise: [], what: 'programs that no longer run in this session' },
  bad_inject_params: {
    read: mapOf(listOf(text)),
    otherwise: {},
    what: 'parameters that a program refused, by program',
  },
};

const settingMembers: Parameters<typeof objectOf<DecideSettings>>[0] = {
  provider: { read: text, otherwise: 'google', what: 'language model; the rules need none' },
  abort_on_red_flags: { read: flag, otherwise: true, what: 'stop at what is critically wrong' },
  abort_on_warnings: { read: flag, otherwise: false, what: 'stop at what looks wrong' },
  max_cycles: { read: integerFrom(1, mostCycles), otherwise: 20, what: 'stop after this many cycles' },
  use_rules_only: { read: flag, otherwise: false, what: 'decide without a language model' },
  maximum_automation: { read: flag, otherwise: true, what: 'false: predictions are processed and placed step by step' },
};

const sessionState = objectOf(stateMembers);
const settings = objectOf(settingMembers);
const empty: Findings = { problems: [], ignored: [] };

const request = objectOf<DecideRequest>({
  api_version: { read: choice([apiVersion]), what: 'the only version' },
  client_version: { read: text, otherwise: null },
  files: { read: listOf(path, mostFiles), what: "paths on the client's machine" },
  cycle_number: { read: integerFrom(1, mostCycles), what: 'number of the cycle that is to be decided' },
  log_content: { read: text, otherwise: '', what: 'log of the last program' },
  history: { read: listOf(historyEntry, mostHistory), otherwise: [], what: 'finished cycles, oldest first' },
  session_state: { read: sessionState, otherwise: sessionState({}, 'session_state', empty) as SessionState },
  user_advice: { read: text, otherwise: '', what: 'the words of the user' },
  settings: { read: settings, otherwise: settings({}, 'settings', empty) as DecideSettings },
});

/** JSON Schema (draft 2020-12) of a v2 request, made from what reads it. Members that it does not name are ignored. */
export const decideRequestSchema: Schema = {
  ...request.schema,
  title: 'DecideRequest',
  description: 'A v2 decision request; null and absent are the same.',
};

export interface ReadRequest {
  readonly request: DecideRequest;
  /** Paths of fields that nobody here reads. */
  readonly ignored: readonly string[];
}

/**
 * Reads a v2 request and fills its defaults.
 * @throws Fault `request.invalid` (the caller's) with every problem
 */
export const readRequest = (document: unknown): ReadRequest => {
  const findings: Findings = { problems: [], ignored: [] };
  const found = request(document, '', findings);
  if (found !== undefined && findings.problems.length === 0) return { request: found, ignored: findings.ignored };
  const list = findings.problems.map(({ field, reason, allowed }) => `${field}: ${reason} (${allowed ?? ''})`);
  throw new Fault('request.invalid', 'caller', `Invalid request: ${list.join('; ')}`, { problems: findings.problems });
};
