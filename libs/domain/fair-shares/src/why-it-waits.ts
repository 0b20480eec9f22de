import { claimOf, type SlotClaim } from './claims';
import type { QueuedRun } from './next-to-launch';

const dayMs = 86_400_000;

const whose = (kind: string, name: string): string =>
  ({
    class: ` on nodes of class ${name}`,
    share: ` on a GPU for proposal ${name.replace(/^gpu:/, '')}`,
    proposal: ` for proposal ${name}`,
    user: ` for ${name}`,
    priority: ` with priority ${name}`,
  })[kind] ?? '';

/** The limit in one sentence without a full stop; the same for all runs that it blocks. */
export const waitReasonText = ({ key, limit }: SlotClaim): string => {
  const { kind, name } = claimOf(key);
  if (kind === 'day' || kind === 'userday') {
    const who = kind === 'day' ? `proposal ${name}` : name;
    return `${who} has started ${limit === 1 ? 'one program' : `${String(limit)} programs`} today, which is the limit; the next may start after 00:00 UTC`;
  }
  if (limit === 0) return `others that wait for room on nodes of class ${name} come first`;
  const many = limit === 1 ? 'one program runs' : `${String(limit)} programs run`;
  return `${many}${whose(kind, name)} already, which is the limit`;
};

/** What an estimate needs besides the position of a run. */
export interface Pace {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Typical duration of recent programs, in milliseconds; absent until one has ended. */
  readonly typicalMs?: number;
  /** How many run if the backend's capacity is the limit. */
  readonly running: number;
}

/**
 * Estimated start of a run: after as many program ends as its position, for programs of typical length that started at random times. Not a
 * promise: runs of higher priority may come. Undefined if no estimate is possible.
 */
export const estimatedStart = (
  { full, position }: QueuedRun,
  { now, typicalMs, running }: Pace,
): number | undefined => {
  const { kind } = claimOf(full.key);
  if (kind === 'day' || kind === 'userday') return (Math.floor(now / dayMs) + 1) * dayMs;
  const slots = full.limit > 0 ? full.limit : running;
  if (typicalMs === undefined || slots === 0) return undefined;
  return Math.round(now + (position * typicalMs) / slots);
};
