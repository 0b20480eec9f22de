import type { BatchRecords, StoredRow } from '@fleet/ports';

/** Rows that are read together. */
const pageLength = 500;

/** All rows of a batch, page by page. */
export async function* rowPages(batches: BatchRecords, id: string, after = 0): AsyncGenerator<readonly StoredRow[]> {
  for (let last = after; ;) {
    const rows = await batches.rows(id, last, pageLength);
    if (rows.length > 0) yield rows;
    if (rows.length < pageLength) return;
    last += pageLength;
  }
}

/**
 * Rows after a given one, up to the maximum of a response.
 * @param fits filter
 */
export const rowsBehind = async (
  batches: BatchRecords,
  id: string,
  after: number,
  limit: number,
  fits: (row: StoredRow) => boolean,
): Promise<{ readonly rows: readonly StoredRow[]; readonly nextCursor?: string }> => {
  const found: StoredRow[] = [];
  for await (const page of rowPages(batches, id, after)) {
    found.push(...page.filter(fits));
    if (found.length > limit) break;
  }
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return found.length > limit && last !== undefined ? { rows, nextCursor: String(last.row) } : { rows };
};
