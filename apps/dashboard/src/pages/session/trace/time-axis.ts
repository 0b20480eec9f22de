import type { Operation, TraceView } from '@fleet/contracts/results';
import type { TraceRow } from './trace-tree';

/** Beginning and end, milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The position of a bar on an axis in percent; or the side on which it is outside. */
export type Bar = { readonly left: number; readonly width: number } | 'before' | 'after';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Readable distances between ticks. */
const steps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 28].map((days) => days * day),
];

/** Undefined: not recorded. An end before the beginning, from two clocks, counts as no duration. */
const ownSpan = ({ startedAt, endedAt, status }: Operation, now: number): Span | undefined => {
  const start = startedAt ?? endedAt;
  if (start === undefined) return undefined;
  const from = Date.parse(start);
  const end = endedAt === undefined ? undefined : Date.parse(endedAt);
  return { from, to: Math.max(from, end ?? (status === 'open' ? now : from)) };
};

const around = (one: Span | undefined, other: Span | undefined): Span | undefined =>
  one === undefined || other === undefined
    ? (one ?? other)
    : { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };

/** The time span of each operation including its parts; by path. */
export const spansOf = (rows: readonly TraceRow[], now: number): ReadonlyMap<string, Span> => {
  const spans = new Map<string, Span>();
  // Parts follow their operation.
  for (const { operation, parent } of rows.toReversed()) {
    const span = around(ownSpan(operation, now), spans.get(operation.path));
    if (span === undefined) continue;
    spans.set(operation.path, span);
    const whole = parent === undefined ? undefined : around(spans.get(parent), span);
    if (parent !== undefined && whole !== undefined) spans.set(parent, whole);
  }
  return spans;
};

/** From the submission to the last cycle's end; later model requests are outside. */
export const wholeSpan = (
  { startedAt, endedAt, operations }: TraceView,
  spans: ReadonlyMap<string, Span>,
  now: number,
): Span => {
  const from = Date.parse(startedAt);
  const ends = operations.flatMap(({ kind, path }) => (kind === 'cycle' ? (spans.get(path)?.to ?? []) : []));
  const last = ends.reduce((latest, end) => Math.max(latest, end), from);
  const to = endedAt === undefined ? now : Math.max(last, ends.length === 0 ? Date.parse(endedAt) : from);
  return { from, to: Math.max(to, from + second) };
};

/** The position of a span on an axis, clipped. */
export const barOf = (span: Span, axis: Span): Bar => {
  if (span.from > axis.to) return 'after';
  if (span.to < axis.from) return 'before';
  const percent = (at: number): number =>
    (100 * (Math.min(Math.max(at, axis.from), axis.to) - axis.from)) / (axis.to - axis.from);
  const left = percent(span.from);
  return { left, width: percent(span.to) - left };
};

const unitOf = (step: number): readonly [number, string] => {
  if (step >= day) return [day, 'd'];
  if (step >= hour) return [hour, 'h'];
  return step >= minute ? [minute, 'min'] : [second, 's'];
};

/**
 * Ticks at round times since the beginning.
 * @param origin of the axis
 * @param most maximum number of ticks
 */
export const ticksOf = (
  axis: Span,
  origin: number,
  most: number,
): readonly { readonly left: number; readonly text: string }[] => {
  const length = axis.to - axis.from;
  const step = steps.find((one) => length / one <= most) ?? Math.ceil(length / most / day) * day;
  const [size, unit] = unitOf(step);
  const first = Math.ceil((axis.from - origin) / step);
  const count = Math.floor((axis.to - origin) / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const since = (first + at) * step;
    const value = Number((since / size).toFixed(1));
    return { left: (100 * (origin + since - axis.from)) / length, text: `${String(value)} ${unit}` };
  });
};

/** Time of a session by kind of operation, in milliseconds; only operations without parts count. */
export const timeByKind = (
  rows: readonly TraceRow[],
  spans: ReadonlyMap<string, Span>,
): ReadonlyMap<Operation['kind'], number> => {
  const sums = new Map<Operation['kind'], number>();
  for (const { operation, hasParts } of rows) {
    const span = spans.get(operation.path);
    if (hasParts || span === undefined) continue;
    sums.set(operation.kind, (sums.get(operation.kind) ?? 0) + span.to - span.from);
  }
  return sums;
};
