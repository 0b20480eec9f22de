import type { QueryOf } from '@fleet/api-client';
import type { BatchRow, BatchRowPage, BatchView, RowState } from '@fleet/contracts/batches';
import { patiently, reconnectionOf } from '../../client/session-events';
import type { CommandContext } from '../../command-context';
import { progressLine } from './batch-lines';

/** Milliseconds between two polls. */
const firstPollMs = 200;
const longestPollMs = 3_000;

/** Polls a batch until it is in the desired state, and prints each change. */
export const followBatch = async (
  { client, terminal, json }: CommandContext,
  id: string,
  until: (batch: BatchView) => boolean,
): Promise<BatchView> => {
  const reconnection = reconnectionOf(terminal);
  let printed = '';
  let pollMs = firstPollMs;
  for (;;) {
    const batch = await patiently(client, () => client.json('GET /v1/batches/{id}', { path: { id } }), reconnection);
    const line = progressLine(batch);
    if (line !== printed) terminal.out(json ? `${JSON.stringify(batch)}\n` : `${line}\n`);
    pollMs = line === printed ? Math.min(pollMs * 1.5, longestPollMs) : firstPollMs;
    printed = line;
    if (until(batch)) return batch;
    await terminal.pause(pollMs);
  }
};

/** The first rows with this state. */
export const rowsWith = async (
  { client }: CommandContext,
  id: string,
  state: RowState | undefined,
  limit: number,
): Promise<{ readonly rows: readonly BatchRow[]; readonly more: boolean }> => {
  const rows: BatchRow[] = [];
  let cursor: string | undefined;
  do {
    const query: QueryOf<'GET /v1/batches/{id}/rows'> = {
      limit: Math.min(500, limit - rows.length),
      ...(state !== undefined && { state }),
      ...(cursor !== undefined && { cursor }),
    };
    const page: BatchRowPage = await client.json('GET /v1/batches/{id}/rows', { path: { id }, query });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== undefined && rows.length < limit);
  return { rows, more: cursor !== undefined };
};
