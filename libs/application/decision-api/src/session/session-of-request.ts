import { parseDirectives } from '@fleet/contracts/guidance';
import { defaultSettings, type SessionSettings } from '@fleet/contracts/service';
import type { CycleRecord, ExperimentType, JsonValue, Session, SessionFile } from '@fleet/contracts/sessions';
import { checkSettings, type RuleBook } from '@fleet/knowledge-model';
import type { DecideRequest, HistoryEntry } from '../request/read-request';
import { adviceOfRequest, guidanceOfRequest, warningsOfAdvice, type RequestAdvice } from './advice-of-request';
import { clientFiles, type ClientFiles, type KnownFacts } from './client-files';
import { cycleOfHistory } from './cycle-of-history';
import { isWholeModel, mergedOutputs } from './merged-models';
import { noLog, type ReadLog } from './read-log';
import { programNamed, recoveriesOf, steeringOfRequest } from './steering-of-request';

/** Dependencies of converting requests to sessions. */
export interface SessionSources {
  readonly ruleBook: RuleBook;
  readonly readLog: ReadLog;
  readonly known: KnownFacts;
  /** ISO 8601. */
  readonly now: string;
}

export interface ReadSession {
  readonly session: Session;
  /** Paths of outputs that the client no longer has. */
  readonly missing: ReadonlySet<string>;
  /** Fields without effect. */
  readonly ignored: readonly string[];
  /** Unusable parts of the request, one sentence each. */
  readonly warnings: readonly string[];
  /** The reading of the user's advice, if any. */
  readonly advice?: RequestAdvice;
}

/** Cycles without the stop. */
const programCycles = ({ history }: DecideRequest, ruleBook: RuleBook): readonly HistoryEntry[] =>
  history
    .filter(({ program }) => program !== '' && program.toUpperCase() !== 'STOP')
    .map((entry) => ({ ...entry, program: programNamed(entry.program, ruleBook) }));

/** The lock; otherwise from programs of a single experiment type; otherwise from the files (a map without reflections is cryo-EM). */
const experimentOf = (
  { session_state }: DecideRequest,
  history: readonly HistoryEntry[],
  { submitted }: ClientFiles,
  { programs }: RuleBook,
): ExperimentType => {
  if (session_state.experiment_type !== null) return session_state.experiment_type;
  const telling = history.map(({ program }) => programs[program]?.experiments ?? []).find(({ length }) => length === 1);
  if (telling?.[0] !== undefined) return telling[0];
  const formats = new Set(submitted.map(({ facts }) => facts.format));
  const reflections = (['mtz', 'scalepack', 'mmcif-reflections', 'xds-ascii'] as const).some((format) =>
    formats.has(format),
  );
  return formats.has('map') && !reflections ? 'cryoem' : 'xray';
};

/** The client's numbers if they increase, otherwise consecutive ones. */
const cycleNumbers = (history: readonly HistoryEntry[]): readonly number[] => {
  let last = 0;
  return history.map(({ cycle, cycle_number }) => {
    const stated = cycle ?? cycle_number ?? 0;
    last = stated > last ? stated : last + 1;
    return last;
  });
};

const cyclesOf = (
  request: DecideRequest,
  { submitted, written }: ClientFiles,
  experiment: ExperimentType,
  sources: SessionSources,
): CycleRecord[] => {
  const { history } = request;
  const files = new Map([...submitted, ...written.flat()].map((file) => [file.path, file]));
  const context = { ruleBook: sources.ruleBook, now: sources.now, experiment, files };
  const numbers = cycleNumbers(history);
  const logProgram = request.session_state.log_program;
  const merged = mergedOutputs(written);
  let latestModel: SessionFile | undefined;
  return history.map((entry, index) => {
    const number = numbers[index] ?? index + 1;
    const isLast = index === history.length - 1;
    const hasLog = isLast && (logProgram === null || logProgram === entry.program);
    const log = hasLog ? sources.readLog(entry.program, request.log_content) : noLog;
    const outputs = (merged[index] ?? []).map((file) => ({ ...file, cycle: number }));
    const known = latestModel;
    latestModel = merged[index]?.findLast(isWholeModel) ?? known;
    return cycleOfHistory(entry, number, outputs, log, {
      ...context,
      ...(known === undefined ? {} : { latestModel: known }),
    });
  });
};

const settingsOf = (
  { settings, session_state }: DecideRequest,
  experiment: ExperimentType | 'auto',
): SessionSettings => ({
  ...defaultSettings,
  max_cycles: settings.max_cycles,
  experiment_type: experiment,
  resolution: session_state.resolution ?? 0,
  maximum_automation: settings.maximum_automation,
  abort_on_red_flags: settings.abort_on_red_flags,
  abort_on_warnings: settings.abort_on_warnings,
  use_rules_only: settings.use_rules_only,
});

/** Directives of newer clients for behaviour that is always on here. */
const heldAnyway = { section: 'stop_conditions', name: 'stop_after_requested' } as const;

const isObject = (value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * `stop_after_requested` comes from newer clients; here `after_program` always ends the session (phenix-agent.md#directives), so it changes
 * nothing.
 */
const withoutHeld = (
  directives: DecideRequest['session_state']['directives'],
): { readonly directives: DecideRequest['session_state']['directives']; readonly ignored: readonly string[] } => {
  const section = directives[heldAnyway.section];
  if (!isObject(section) || !Object.hasOwn(section, heldAnyway.name)) return { directives, ignored: [] };
  const rest = Object.fromEntries(Object.entries(section).filter(([key]) => key !== heldAnyway.name));
  const field = `session_state.directives.${heldAnyway.section}.${heldAnyway.name}`;
  return {
    directives: { ...directives, [heldAnyway.section]: rest },
    ignored: [`${field}: after_program ends the session in any case`],
  };
};

/** The client's directives, as far as they are allowed. */
const directivesOf = (
  given: DecideRequest['session_state']['directives'],
  { programs }: RuleBook,
): ReturnType<typeof parseDirectives> => {
  const { directives, problems } = parseDirectives(given, new Set(Object.keys(programs)));
  if (directives.program_settings === undefined) return { directives, problems };
  const checked = checkSettings(directives.program_settings, programs, 'directives.program_settings');
  return {
    directives: { ...directives, program_settings: checked.settings },
    problems: [...problems, ...checked.problems],
  };
};

/**
 * Converts a request to a session of this service: its files known by their names, its history as cycles, its locks kept. The session exists
 * for one decision only.
 */
export const sessionOfRequest = (given: DecideRequest, sources: SessionSources): ReadSession => {
  const request = { ...given, history: programCycles(given, sources.ruleBook) };
  const files = clientFiles(request, sources.known);
  const experiment = experimentOf(request, request.history, files, sources.ruleBook);
  const { directives: followed, ignored } = withoutHeld(request.session_state.directives);
  const { directives: stated, problems } = directivesOf(followed, sources.ruleBook);
  const advice = adviceOfRequest(request, stated, experiment, sources.ruleBook);
  const { recoveries, warnings } = recoveriesOf(request.session_state, sources.ruleBook);
  const cycles = cyclesOf(request, files, experiment, sources);
  const steering = steeringOfRequest(request, cycles.at(-1)?.cycle ?? 0, recoveries, sources.ruleBook);
  const session: Session = {
    id: 'v2-request',
    status: 'running',
    stage: 'deciding',
    cycle: request.cycle_number,
    attempt: 1,
    version: 1,
    wakeUps: 0,
    folder: '/',
    createdAt: sources.now,
    updatedAt: sources.now,
    request: {
      title: '',
      proposal: '',
      beamline: '',
      submitter: '',
      priority: 'standard',
      advice: request.user_advice,
      settings: settingsOf(request, request.session_state.experiment_type ?? 'auto'),
      directives: stated,
      steering,
      inputs: files.submitted,
    },
    cycles,
    ...guidanceOfRequest(advice, steering, sources.now),
  };
  return {
    session,
    missing: files.missing,
    ignored,
    warnings: [
      ...problems.map(({ field, reason }) => `session_state.${field} is left out: it ${reason}`),
      ...warnings,
      ...warningsOfAdvice(request, advice),
      ...files.warnings,
    ],
    ...(advice === undefined ? {} : { advice }),
  };
};
