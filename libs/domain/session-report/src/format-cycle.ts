import type { AttemptRecord, CycleRecord, CycleResult, WaitingAttempt } from '@fleet/contracts/sessions';
import { durationText } from './duration-text';
import { metricLabel, metricText, type MetricDefinitions } from './metric-text';
import { plainLine } from './plain-text';

const row = (label: string, text: string): string => `  ${label.padEnd(11)}${plainLine(text)}`.trimEnd();

/** Duration of an attempt, until now if it still runs; never negative, although the clocks of two machines differ. */
const attemptTime = ({ startedAt, ending }: AttemptRecord, now: number | undefined): number =>
  ending?.durationMs ?? Math.max(0, (now ?? 0) - Date.parse(startedAt));

/**
 * Wall time of a cycle's program over all its attempts, in milliseconds.
 * @param now milliseconds since the epoch, for a running attempt; absent: only ended attempts count
 */
export const programTime = (cycle: Pick<CycleRecord, 'attempts'>, now?: number): number =>
  cycle.attempts.reduce((sum, attempt) => sum + attemptTime(attempt, now), 0);

/** Whether any attempt of the cycle was a scripted stand-in. */
export const isSimulated = (cycle: Pick<CycleRecord, 'attempts'>): boolean =>
  cycle.attempts.some(({ provider }) => provider === 'simulated');

/** A path below the folder is shown relative to it; the folder itself is shown elsewhere, once. */
export const pathBelow = (folder: string, path: string): string =>
  folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

const resultRows = (result: CycleResult, definitions: MetricDefinitions, folder: string): readonly string[] => [
  row(result.outcome === 'success' ? 'result' : 'FAILED', result.summary),
  ...result.metrics.map(({ name, value }) =>
    row('', `${metricLabel(name, definitions)} ${metricText(name, value, definitions)}`),
  ),
  ...result.outputs.map(({ path }) => row('file', pathBelow(folder, path))),
  ...(result.leftOut ?? []).map((text) => row('left out', text)),
  ...(result.outcome === 'failed' ? result.errorLines.map((text) => row('log', text)) : []),
];

const attemptRows = (record: AttemptRecord, now: number): readonly string[] => {
  const { attempt, programVersion, ending } = record;
  const launched = `attempt ${attempt}, ${programVersion}`;
  if (ending === undefined) return [row('running', `${launched}: for ${durationText(attemptTime(record, now))}`)];
  const { message, nextAction, durationMs } = ending;
  const ended = row('ended', `${launched}: ${message} (${durationText(durationMs)})`);
  return nextAction === undefined ? [ended] : [ended, row('next', nextAction)];
};

const waitingText = ({ attempt, since, reason }: WaitingAttempt): string =>
  `attempt ${attempt}, since ${since.slice(0, 19)}: ${reason}`;

/** A command for people: unusual arguments are quoted, so that it can be pasted into a shell. */
export const commandText = (argv: readonly string[]): string =>
  argv.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`)).join(' ');

/**
 * A cycle as plain lines: decision and reason, command, launches, result with metrics and files.
 * @param folder the session's; files below it are shown relative to it, the command is unchanged
 * @param now milliseconds since the epoch, for the duration of a running program
 */
export const formatCycle = (
  cycle: CycleRecord,
  definitions: MetricDefinitions,
  { folder, now }: { readonly folder: string; readonly now: number },
): readonly string[] => {
  const { decision } = cycle;
  const mark = isSimulated(cycle) ? ' [SIMULATED]' : '';
  return [
    `── Cycle ${cycle.cycle} ── ${decision.program}${mark}`,
    row('state', `${decision.workflowState} (${decision.step})`),
    row('decision', decision.reasoning),
    row('command', commandText(decision.argv)),
    ...cycle.attempts.flatMap((attempt) => attemptRows(attempt, now)),
    ...(cycle.waiting === undefined ? [] : [row('waiting', waitingText(cycle.waiting))]),
    ...(cycle.result === undefined ? [] : resultRows(cycle.result, definitions, folder)),
  ];
};
