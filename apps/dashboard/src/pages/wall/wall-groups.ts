import { isEnded, type WallRow } from '@fleet/contracts/sessions';
import { stateOf } from '../../format/state-of';

/** The rows of a wall by group. */
export interface WallGroups {
  /** The newest first: they keep their position while they run. */
  readonly running: readonly WallRow[];
  /** The longest-waiting first. */
  readonly waiting: readonly WallRow[];
  /** The last ended first. */
  readonly ended: readonly WallRow[];
}

const ascending = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Since when it waits for its slot; if unknown, since its submission. */
export const waitsSince = ({ queueStatus, createdAt }: WallRow): string => queueStatus?.since ?? createdAt;

export const wallGroups = (rows: readonly WallRow[]): WallGroups => {
  const under = rows.filter(({ status }) => !isEnded(status));
  const isWaiting = (row: WallRow): boolean => stateOf(row) === 'waiting';
  return {
    running: under.filter((row) => !isWaiting(row)).sort((a, b) => ascending(b.createdAt, a.createdAt)),
    waiting: under.filter(isWaiting).sort((a, b) => ascending(waitsSince(a), waitsSince(b))),
    ended: rows
      .filter(({ status }) => isEnded(status))
      .sort((a, b) => ascending(b.endedAt ?? b.updatedAt, a.endedAt ?? a.updatedAt)),
  };
};

/** The part of a list that fits; `first` counts from 1 and advances with time. */
export const shownPart = <T>(
  all: readonly T[],
  { fits, everyMs, now }: { readonly fits: number; readonly everyMs: number; readonly now: number },
): { readonly first: number; readonly rows: readonly T[] } => {
  const parts = Math.max(1, Math.ceil(all.length / fits));
  const first = (Math.floor(now / everyMs) % parts) * fits;
  return { first: first + 1, rows: all.slice(first, first + fits) };
};
