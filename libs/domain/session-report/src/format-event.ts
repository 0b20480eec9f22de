import {
  eventLevels,
  type EventType,
  type JsonValue,
  type SessionEvent,
  type Verbosity,
} from '@fleet/contracts/sessions';
import { durationText } from './duration-text';
import { plainLine } from './plain-text';

const rank: Readonly<Record<Verbosity, number>> = { quiet: 0, normal: 1, verbose: 2 };

/** Text of the left column. Cycles have their own line. */
const labels: Readonly<Record<EventType, string>> = {
  cycle_start: '',
  cycle_complete: 'result',
  state_detected: 'state',
  metrics_extracted: 'metrics',
  metrics_trend: 'trend',
  sanity_check: 'check',
  program_selected: 'decision',
  program_modified: 'changed',
  stop_decision: 'stop',
  directive_applied: 'directive',
  user_request_invalid: 'REFUSED',
  files_selected: 'files',
  file_scored: 'score',
  command_built: 'command',
  thought: 'thought',
  error: 'ERROR',
  warning: 'WARNING',
  debug: 'debug',
  session_submitted: 'submitted',
  session_forked: 'forked',
  advice_read: 'advice',
  session_prioritised: 'priority',
  session_recovered: 'recovered',
  session_cancelling: 'cancelling',
  session_resumed: 'resumed',
  cycles_removed: 'removed',
  session_ended: 'ENDED',
  attempt_waiting: 'waiting',
  attempt_started: 'running',
  attempt_ended: 'ended',
};

const labelWidth = 11;
/** Longer data are only in the JSON output. Characters. */
const longestData = 400;

/** Events before a cycle, and the end, are not indented. */
const atMargin: ReadonlySet<EventType> = new Set([
  'session_submitted',
  'session_forked',
  'advice_read',
  'session_prioritised',
  'session_recovered',
  'session_cancelling',
  'session_resumed',
  'cycles_removed',
  'session_ended',
]);

const headline = (event: SessionEvent): string => {
  const title = `Cycle ${event.cycle}`;
  const more = event.message === title ? '' : plainLine(event.message);
  return [`── ${title} ──`, more].filter((part) => part !== '').join(' ');
};

/** The end of a cycle is shown as its outcome and its time if the metrics or the error were just reported. */
const textOf = ({ type, message, data }: SessionEvent, verbosity: Verbosity): string => {
  const { outcome, durationMs } = data;
  const isShown = verbosity !== 'quiet' || outcome === 'failed';
  if (type !== 'cycle_complete' || !isShown || typeof outcome !== 'string' || typeof durationMs !== 'number')
    return withNext(message, data.nextAction);
  return `${outcome} after ${durationText(durationMs)}`;
};

/** The end of a program is followed by the next action. */
const withNext = (message: string, nextAction: JsonValue | undefined): string =>
  typeof nextAction === 'string' ? `${message} ${nextAction}` : message;

const line = (event: SessionEvent, verbosity: Verbosity): string => {
  const simulated = event.data.provider === 'simulated' ? '[SIMULATED] ' : '';
  const indent = atMargin.has(event.type) ? '' : '  ';
  return `${indent}${labels[event.type].padEnd(labelWidth)}${simulated}${plainLine(textOf(event, verbosity))}`.trimEnd();
};

const dataLine = ([key, value]: readonly [string, JsonValue]): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = text.length > longestData ? `${text.slice(0, longestData)} …` : text;
  return `${' '.repeat(labelWidth + 4)}${plainLine(key)}: ${plainLine(shown)}`;
};

/** That a session does not stop is not shown to people, because the next cycle shows it. */
const goesOn = ({ type, data }: Pick<SessionEvent, 'type' | 'data'>): boolean =>
  type === 'stop_decision' && data.stop === false;

/** Whether an event is shown at this verbosity (phenix-agent.md#verbosity). */
export const isShown = (event: Pick<SessionEvent, 'type' | 'data'>, verbosity: Verbosity): boolean =>
  rank[goesOn(event) ? 'verbose' : eventLevels[event.type]] <= rank[verbosity];

/**
 * An event as plain lines for a terminal or a pipe; empty if the verbosity excludes it.
 * `quiet`: errors, warnings, cycles and the end; `normal`: key decisions and metrics too; `verbose`: everything, with its data.
 */
export const formatEvent = (event: SessionEvent, verbosity: Verbosity): readonly string[] => {
  if (!isShown(event, verbosity)) return [];
  const first = event.type === 'cycle_start' ? headline(event) : line(event, verbosity);
  return verbosity === 'verbose' ? [first, ...Object.entries(event.data).map(dataLine)] : [first];
};
