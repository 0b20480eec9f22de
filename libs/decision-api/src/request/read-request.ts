import { Fault, type ExperimentType } from '@fleet/contracts';
import {
  apiVersion,
  type DecideRequest,
  type DecideSettings,
  type HistoryEntry,
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
  text,
  type Findings,
} from './field-readers';

/** Cycle numbers are the client's own; nobody has this many. */
const mostCycles = 100_000;
/** More would cost more to decide than any session is worth. */
const mostFiles = 5_000;
const mostHistory = 1_000;

const historyEntry = objectOf<HistoryEntry>({
  cycle: { read: integerFrom(0, mostCycles), otherwise: null },
  cycle_number: { read: integerFrom(0, mostCycles), otherwise: null },
  program: { read: text },
  command: { read: text, otherwise: '' },
  result: { read: text, otherwise: '' },
  output_files: { read: listOf(path), otherwise: [] },
  analysis: { read: metrics, otherwise: {} },
  metrics: { read: metrics, otherwise: {} },
});

const stateMembers: Parameters<typeof objectOf<SessionState>>[0] = {
  resolution: { read: positive, otherwise: null },
  experiment_type: {
    read: emptyAs<ExperimentType | null>(choice<ExperimentType>(['xray', 'cryoem']), null),
    otherwise: null,
  },
  rfree_mtz: { read: emptyAs<string | null>(path, null), otherwise: null },
  best_files: { read: mapOf(oneOrMany(path)), otherwise: {} },
  log_program: { read: emptyAs<string | null>(text, null), otherwise: null },
  advice_changed: { read: flag, otherwise: false },
  mtz_rfree_map: { read: mapOf(flag), otherwise: {} },
  input_mtz_has_rfree: { read: flag, otherwise: null },
  directives: { read: anyObject, otherwise: {} },
  force_retry_program: { read: emptyAs<string | null>(text, null), otherwise: null },
  recovery_strategies: { read: anyObject, otherwise: {} },
  session_blocked_programs: { read: listOf(text), otherwise: [] },
};

const settingMembers: Parameters<typeof objectOf<DecideSettings>>[0] = {
  provider: { read: text, otherwise: 'google' },
  abort_on_red_flags: { read: flag, otherwise: true },
  abort_on_warnings: { read: flag, otherwise: false },
  max_cycles: { read: integerFrom(1, mostCycles), otherwise: 20 },
  use_rules_only: { read: flag, otherwise: false },
  maximum_automation: { read: flag, otherwise: true },
};

const sessionState = objectOf(stateMembers);
const settings = objectOf(settingMembers);
const empty: Findings = { problems: [], ignored: [] };

const atMost =
  <T>(most: number, read: ReturnType<typeof listOf<T>>): ReturnType<typeof listOf<T>> =>
  (value, at, findings) => {
    if (!Array.isArray(value) || value.length <= most) return read(value, at, findings);
    findings.problems.push({ field: at, reason: `has ${value.length} entries`, allowed: `at most ${most}` });
    return undefined;
  };

const request = objectOf<DecideRequest>({
  api_version: { read: choice([apiVersion]) },
  client_version: { read: text, otherwise: null },
  files: { read: atMost(mostFiles, listOf(path)) },
  cycle_number: { read: integerFrom(1, mostCycles) },
  log_content: { read: text, otherwise: '' },
  history: { read: atMost(mostHistory, listOf(historyEntry)), otherwise: [] },
  session_state: { read: sessionState, otherwise: sessionState({}, 'session_state', empty) as SessionState },
  user_advice: { read: text, otherwise: '' },
  settings: { read: settings, otherwise: settings({}, 'settings', empty) as DecideSettings },
});

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
