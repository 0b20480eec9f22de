import type { Operation, TraceView } from '@fleet/contracts/results';
import { durationText, plainLine, spentText } from '@fleet/session-report';
import type { Paint } from '../terminal';
import { tableLines } from './table';

const longestNote = 100;

const short = (text: string): string => (text.length > longestNote ? `${text.slice(0, longestNote - 1)}…` : text);

/** `11-23 12:03:10`, UTC; the heading contains the year. */
const clockTime = (at: string | undefined): string => at?.slice(5, 19).replace('T', ' ') ?? '';

const took = ({ status, startedAt, endedAt }: Operation, now: number): string => {
  if (startedAt === undefined) return '';
  const until = endedAt === undefined ? (status === 'open' ? now : undefined) : Date.parse(endedAt);
  return until === undefined ? '' : durationText(until - Date.parse(startedAt));
};

const row = (operation: Operation, now: number): readonly string[] => {
  const { path, kind, what, status, startedAt, endedAt, note = '' } = operation;
  const depth = path.split('.').length - 1;
  return [
    `${'  '.repeat(depth)}${path}`,
    kind,
    status,
    clockTime(startedAt ?? endedAt),
    took(operation, now),
    plainLine(short(note === '' ? what : `${what}: ${note}`)),
  ];
};

/**
 * A trace as text: one line for each operation.
 * @param now milliseconds since the epoch
 */
export const traceLines = (view: TraceView, paint: Paint, now: number): readonly string[] => [
  paint('bold', `${view.id}  ${view.status}, submitted ${view.startedAt.slice(0, 10)} (times are UTC)`),
  ...tableLines(view.operations.map((operation) => row(operation, now))),
  ...(view.spent.requests === 0 ? [] : [spentText(view.spent)]),
];
