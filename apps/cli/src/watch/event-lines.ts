import type { StoredEvent, Verbosity } from '@fleet/contracts/sessions';
import { commandText, formatEvent, isShown, pathBelow } from '@fleet/session-report';
import type { Paint, Style } from '../terminal';

const styles: Readonly<Partial<Record<StoredEvent['type'], Style>>> = {
  cycle_start: 'bold',
  error: 'red',
  warning: 'yellow',
  user_request_invalid: 'yellow',
  session_ended: 'bold',
  metrics_trend: 'cyan',
};

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** A command is shown in a form that can be pasted into a shell: an argument with a space is one argument. */
const readable = (event: StoredEvent): StoredEvent => {
  const argv = event.type === 'command_built' ? texts(event.data.argv) : [];
  return argv.length === 0 ? event : { ...event, message: commandText(argv) };
};

const outputLines = (event: StoredEvent, verbosity: Verbosity, folder: string): readonly string[] => {
  // At the highest verbosity the event's data already contain the files.
  if (event.type !== 'cycle_complete' || verbosity !== 'normal') return [];
  return texts(event.data.outputs).map(
    (path) => `  ${'file'.padEnd(11)}${JSON.stringify(pathBelow(folder, path)).slice(1, -1)}`,
  );
};

export interface EventView {
  readonly verbosity: Verbosity;
  readonly paint: Paint;
  /** The session's folder; files below it are shown relative to it. */
  readonly folder: string;
}

/** The lines that are printed for an event; empty if the verbosity excludes it. */
export const eventLines = (event: StoredEvent, { verbosity, paint, folder }: EventView): readonly string[] => {
  if (!isShown(event, verbosity)) return [];
  const style = styles[event.type];
  const lines = formatEvent(readable(event), verbosity).map((line) =>
    style === undefined ? line : paint(style, line),
  );
  return [...lines, ...outputLines(event, verbosity, folder)];
};
