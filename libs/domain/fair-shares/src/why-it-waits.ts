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

/** What stands in the way, in one sentence without its end; the same for all that wait for it. */
export const obstacleText = ({ key, limit }: SlotClaim): string => {
  const { kind, name } = claimOf(key);
  if (kind === 'day' || kind === 'userday') {
    const who = kind === 'day' ? `proposal ${name}` : name;
    return `${who} has started ${limit === 1 ? 'one program' : `${String(limit)} programs`} today, which is the limit; the next may start after 00:00 UTC`;
  }
  if (limit === 0) return `others that wait for room on nodes of class ${name} come first`;
  const many = limit === 1 ? 'one program runs' : `${String(limit)} programs run`;
  return `${many}${whose(kind, name)} already, which is the limit`;
};

/** What an estimate needs besides where a run stands. */
export interface Pace {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long a program has run lately, in milliseconds; absent while none has ended. */
  readonly typicalMs?: number;
  /** How many run where the backend's room is the limit. */
  readonly running: number;
}

/**
 * When a run may start, in milliseconds since the epoch: so many ends as it is far in line, at the rate of programs of typical length
 * that began at any time. An estimate, not a promise: others of higher priority may come. Undefined while nobody can tell.
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
