import type { Selectable } from 'kysely';
import type { FolderPurge, Pin } from '@fleet/contracts/retention';
import type { BegunPurge, RetainedSession } from '@fleet/ports';
import type { SessionsTable } from './session-tables';
import { storedSession } from './stored-session';

/** The columns that retention rules use. */
type RetainedRow = Selectable<SessionsTable> & {
  readonly batch_running: boolean;
  readonly used_by: readonly string[];
};

export const pinOf = ({
  pinned_at: at,
  pinned_by: by,
  pin_reason: reason,
}: Selectable<SessionsTable>): Pin | undefined =>
  at === null ? undefined : { at: at.toISOString(), by: by ?? '', reason: reason ?? '' };

const purgeOf = (row: Selectable<SessionsTable>): FolderPurge | undefined => {
  const at = row.folder_purged_at ?? row.purge_claimed_at;
  if (at === null) return undefined;
  return { at: at.toISOString(), rule: row.purge_rule ?? '', bytes: Number(row.purged_bytes ?? 0) };
};

export const retained = (row: RetainedRow): RetainedSession => {
  const { id, folder, status, request } = storedSession(row).session;
  const [pin, purged] = [pinOf(row), purgeOf(row)];
  return {
    session: { id, folder, status, request },
    ...(row.outcome !== null && { outcome: row.outcome }),
    ...(row.ended_at !== null && { endedAt: row.ended_at.getTime() }),
    ...(pin !== undefined && { pin }),
    ...(purged !== undefined && { purged }),
    isExpiryTold: row.expiry_told_at !== null,
    isBatchRunning: row.batch_running,
    usedBy: row.used_by,
  };
};

export const begun = (row: Selectable<SessionsTable>): BegunPurge => {
  const { id, folder, status, request } = storedSession(row).session;
  return { session: { id, folder, status, request }, rule: row.purge_rule ?? '', record: row.purges_record };
};
