import { sql } from 'kysely';
import type { Database } from './database';

/**
 * After `pg_restore` moves have transaction ids of another server. Ids ahead of this server's would count as open, and
 * be reported as new once it reaches them. All of them are set to this server's first transaction, and keep the order
 * of their numbers. A base backup has matching ids.
 */
export const adoptRestoredMoves = async (tx: Database): Promise<void> => {
  const { rows } = await sql`
    SELECT 1 FROM moves WHERE told AND transaction >= pg_snapshot_xmax(pg_current_snapshot()) LIMIT 1`.execute(tx);
  if (rows.length > 0) await sql`UPDATE moves SET transaction = '3'`.execute(tx);
};
