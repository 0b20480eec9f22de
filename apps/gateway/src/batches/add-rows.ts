import { createHash } from 'node:crypto';
import { isFault, maxBatchRows, type RowsAdded } from '@fleet/contracts';
import type { ManifestEntry } from '@fleet/manifest';
import type { BatchRecords, NewRow } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';
import { noBatch } from './batch-lookup';

/** Rows that are written together. */
const together = 250;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const newRow = (entry: ManifestEntry): NewRow => {
  const { line } = entry;
  if ('row' in entry) {
    const row = JSON.stringify(entry.row);
    return { digest: digestOf(row), line, content: { row } };
  }
  return {
    digest: digestOf(`unread ${entry.text}`),
    line,
    content: { problem: { ...entry.problem, code: 'row.unreadable' } },
  };
};

/** What was kept of rows of which some could not be. */
const kept = ({ added, known }: RowsAdded): string =>
  `${String(added)} rows before it were added${known > 0 ? ` and ${String(known)} were there already` : ''}; sending them again adds none twice.`;

class Adding {
  private sum: RowsAdded = { added: 0, known: 0, unreadable: 0, rows: 0 };

  constructor(
    private readonly batches: BatchRecords,
    private readonly id: string,
  ) {}

  get result(): RowsAdded {
    return this.sum;
  }

  async add(entries: readonly ManifestEntry[]): Promise<void> {
    const result = await this.batches.addRows(this.id, entries.map(newRow), maxBatchRows);
    if (result === undefined) throw noBatch(this.id);
    const { added, known, left, rows } = result;
    const unread = entries.filter((entry) => 'problem' in entry).length;
    const { sum } = this;
    this.sum = { added: sum.added + added, known: sum.known + known, unreadable: sum.unreadable + unread, rows };
    if (left > 0)
      throw new ApiError(
        'batch.full',
        `A batch has at most ${String(maxBatchRows)} rows. ${kept(this.sum)} Put the rest into another batch.`,
      );
  }
}

/**
 * Adds the rows of a manifest as it is read, some at a time: what was added stays, whoever dies, and a row that is there already is not added
 * again.
 * @param told of how many were added, also where the rest was refused
 * @throws ApiError `batch.full`, `batch.not_found`, or `manifest.invalid` with what was kept
 */
export const addRows = async (
  batches: BatchRecords,
  id: string,
  entries: AsyncIterable<ManifestEntry> | Iterable<ManifestEntry>,
  told: (rows: number) => Promise<void>,
): Promise<RowsAdded> => {
  const adding = new Adding(batches, id);
  let part: ManifestEntry[] = [];
  try {
    for await (const entry of entries) {
      if (part.push(entry) < together) continue;
      await adding.add(part);
      part = [];
    }
    await adding.add(part);
  } catch (error) {
    if (!isFault(error) || error.code !== 'manifest.invalid') throw error;
    await adding.add(part);
    throw new ApiError('manifest.invalid', `${error.message} ${kept(adding.result)}`, error.problems);
  } finally {
    await told(adding.result.added);
  }
  return adding.result;
};
