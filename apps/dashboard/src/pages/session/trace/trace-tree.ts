import type { Operation } from '@fleet/contracts/results';

/** An operation with its position in the tree. */
export interface TraceRow {
  readonly operation: Operation;
  /** Path of the parent operation. */
  readonly parent: string | undefined;
  /** From 1. */
  readonly level: number;
  /** Its number among its siblings, from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
  readonly hasParts: boolean;
}

/** Sessions with at most this many cycles are initially fully open. */
const mostOpened = 12;

/** `2.1` of `2.1.3`; undefined for `2`. */
export const parentOf = (path: string): string | undefined => {
  const end = path.lastIndexOf('.');
  return end < 0 ? undefined : path.slice(0, end);
};

/** Rows of a trace, each after its parent. */
export const traceTree = (operations: readonly Operation[]): readonly TraceRow[] => {
  const counts = new Map<string | undefined, number>();
  const placed = operations.map((operation) => {
    const parent = parentOf(operation.path);
    const position = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, position);
    return { operation, parent, position, level: operation.path.split('.').length };
  });
  return placed.map((row) => ({
    ...row,
    siblings: counts.get(row.parent) ?? 1,
    hasParts: counts.has(row.operation.path),
  }));
};

/**
 * Paths that are initially open: every cycle of a short session, otherwise operations in progress and the last cycle.
 */
export const openedAtFirst = (rows: readonly TraceRow[]): ReadonlySet<string> => {
  const top = rows.filter(({ level }) => level === 1).map(({ operation }) => operation);
  const last = top.filter(({ kind }) => kind === 'cycle').at(-1)?.path;
  const isOpened = ({ path, status }: Operation): boolean =>
    top.length <= mostOpened || status === 'open' || path === last;
  const opened = new Set(top.filter(isOpened).map(({ path }) => path));
  const below = rows.filter(({ level, parent }) => level === 2 && parent !== undefined && opened.has(parent));
  return new Set([...opened, ...below.map(({ operation }) => operation.path)]);
};

/** Rows whose parents are all open. */
export const shownRows = (rows: readonly TraceRow[], isOpen: (path: string) => boolean): readonly TraceRow[] => {
  const shown = new Set<string>();
  return rows.filter(({ operation: { path }, parent }) => {
    const isShown = parent === undefined || (shown.has(parent) && isOpen(parent));
    if (isShown) shown.add(path);
    return isShown;
  });
};
