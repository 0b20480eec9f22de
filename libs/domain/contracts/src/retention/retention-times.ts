import type { RetentionHold, RetentionRule } from './retention';
import type { SessionOutcome } from '../sessions/session';
import type { Priority } from '../launches/shares';

const dayMs = 86_400_000;
const daysOfYear = 365;

const daysOf = (period: string): number =>
  period === 'never' ? Infinity : Number(period.slice(0, -1)) * (period.endsWith('y') ? daysOfYear : 1);

const periodText = (period: string): string => {
  if (period === 'never') return 'without end';
  const unit = period.endsWith('y') ? 'year' : 'day';
  const number = period.slice(0, -1);
  return `${number} ${unit}${number === '1' ? '' : 's'}`;
};

/** A rule in words: `solved: folder 365 days, record 5 years`. */
export const retentionRuleText = ({ outcome, priority, folder, record }: RetentionRule): string => {
  const about = [outcome, priority].filter((word) => word !== undefined).join(', ');
  return `${about === '' ? 'every session' : about}: folder ${periodText(folder)}, record ${periodText(record)}`;
};

/** Whether a rule deletes the record before the folder, which is not allowed. */
export const endsBeforeFolder = ({ folder, record }: RetentionRule): boolean => daysOf(record) < daysOf(folder);

/** Everything that decides how long a session is stored. */
export interface RetentionFacts {
  readonly outcome?: SessionOutcome;
  readonly priority: Priority;
  /** Milliseconds since the epoch; absent: it has not ended. */
  readonly endedAt?: number;
  readonly isPinned: boolean;
  /** Its batch has rows to start, or running sessions. */
  readonly isBatchRunning: boolean;
  /** Another session has files of this one as inputs, and still has its own folder. */
  readonly isUsed: boolean;
}

/** How long a session is stored. */
export interface KeptUntil {
  /** The first rule that matches; absent: none does. */
  readonly rule?: RetentionRule;
  /** When the folder is due, in milliseconds since the epoch; Infinity: never. */
  readonly folder: number;
  /** When the record is due. */
  readonly record: number;
  /** What prevents the deletion of both, due or not. */
  readonly hold?: RetentionHold;
}

const holdOf = ({ endedAt, isPinned, isBatchRunning, isUsed }: RetentionFacts): RetentionHold | undefined => {
  if (endedAt === undefined) return 'running';
  if (isPinned) return 'pinned';
  if (isBatchRunning) return 'batch';
  return isUsed ? 'in_use' : undefined;
};

/** When the folder and the record of a session are due by the first rule that matches, and what holds them. */
export const keptUntil = (rules: readonly RetentionRule[], session: RetentionFacts): KeptUntil => {
  const { outcome, priority, endedAt } = session;
  const hold = holdOf(session);
  const held = hold === undefined ? {} : { hold };
  const rule =
    endedAt === undefined
      ? undefined
      : rules.find((one) => (one.outcome ?? outcome) === outcome && (one.priority ?? priority) === priority);
  if (rule === undefined || endedAt === undefined) return { folder: Infinity, record: Infinity, ...held };
  const due = (period: string): number => endedAt + daysOf(period) * dayMs;
  return { rule, folder: due(rule.folder), record: due(rule.record), ...held };
};

/** The shortest retention of a folder or a record by any rule, in milliseconds; Infinity: nothing is ever due. */
export const shortestRetentionMs = (rules: readonly RetentionRule[], part: 'folder' | 'record'): number =>
  Math.min(Infinity, ...rules.map((rule) => daysOf(rule[part]) * dayMs));
