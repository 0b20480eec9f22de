import { mostPurged, shortestRetentionMs } from '@fleet/contracts/retention';
import type { RetentionDependencies } from './retention-dependencies';
import { keptUntilOf } from './session-retention';

/** How long before the deletion of its files the submitter is notified, in milliseconds. */
const aheadMs = 7 * 86_400_000;

/**
 * Notifies webhooks and e-mail once of each session whose files will be deleted within a week; e-mail of a batch or a proposal collects them.
 * No notice for a session that is held or was already due.
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
