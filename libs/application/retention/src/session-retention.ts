import {
  keptUntil,
  retentionRuleText,
  type KeptUntil,
  type RetentionRule,
  type SessionRetention,
} from '@fleet/contracts/retention';
import type { RetainedSession } from '@fleet/ports';

/** How long a session is stored by these rules. */
export const keptUntilOf = (rules: readonly RetentionRule[], retained: RetainedSession): KeptUntil => {
  const { session, outcome, endedAt, pin, isBatchRunning, usedBy } = retained;
  return keptUntil(rules, {
    priority: session.request.priority,
    ...(outcome !== undefined && { outcome }),
    ...(endedAt !== undefined && { endedAt }),
    isPinned: pin !== undefined,
    isBatchRunning,
    isUsed: usedBy.length > 0,
  });
};

const timeOf = (ms: number): string | undefined => (Number.isFinite(ms) ? new Date(ms).toISOString() : undefined);

/** The same in the form of the API. */
export const sessionRetention = (rules: readonly RetentionRule[], retained: RetainedSession): SessionRetention => {
  const { pin, purged, usedBy } = retained;
  const { rule, folder, record, hold } = keptUntilOf(rules, retained);
  const [folderUntil, recordUntil] = [purged === undefined ? timeOf(folder) : undefined, timeOf(record)];
  return {
    ...(rule !== undefined && { rule: retentionRuleText(rule) }),
    ...(folderUntil !== undefined && { folderUntil }),
    ...(recordUntil !== undefined && { recordUntil }),
    ...(hold !== undefined && { hold }),
    ...(usedBy.length > 0 && { usedBy }),
    ...(pin !== undefined && { pin }),
    ...(purged !== undefined && { purged }),
  };
};
