import { mostPurged, shortestRetentionMs } from '@fleet/contracts/retention';
import type { RetentionDependencies } from './retention-dependencies';
import { keptUntilOf } from './session-retention';

/** Milliseconds before its files are due from which on its submitter is notified. */
const aheadMs = 7 * 86_400_000;

/**
 * Tells webhooks and e-mail of each session whose files go within a week, once; e-mail of a batch or a proposal gathers them. One that is held or
 * was due before causes no notice.
 */
export const tellExpiries = async ({
  records,
  rules,
  clock,
}: Pick<RetentionDependencies, 'records' | 'rules' | 'clock'>): Promise<void> => {
  const shortest = shortestRetentionMs(rules, 'folder');
  if (shortest === Infinity) return;
  const now = clock.now();
  let cursor: string | undefined;
  do {
    const { sessions, nextCursor } = await records.ended('folder', now + aheadMs - shortest, mostPurged, cursor);
    for (const one of sessions) {
      const { folder, hold } = keptUntilOf(rules, one);
      const isNear = folder > now && folder <= now + aheadMs;
      if (isNear && hold === undefined && !one.isExpiryTold) await records.tellExpiry(one.session.id, folder);
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
};
