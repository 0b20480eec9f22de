import { createHash } from 'node:crypto';
import type { Principal } from '@fleet/contracts/access';
import { maxBatchRows, type RowsAdded } from '@fleet/contracts/batches';
import { Fault, isFault } from '@fleet/contracts/faults';
import type { ManifestEntry } from '@fleet/manifest';
import type { BatchRecords, NewRow } from '@fleet/ports';
import { counted } from '@fleet/session-report';
import type { BatchPorts } from './batch-ports';
import { findBatch, noBatch } from './find-batch';

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

/** How many rows were stored before a failure. */
const storedRowsText = ({ added, known }: RowsAdded): string =>
  `${counted(added, 'row')} before it ${added === 1 ? 'was' : 'were'} added${known > 0 ? `; ${String(known)} existed already` : ''}. Sending them again adds none twice.`;

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
      throw new Fault(
        'batch.full',
        'caller',
        `A batch has at most ${String(maxBatchRows)} rows. ${storedRowsText(this.sum)} Submit the rest in another batch.`,
      );
  }
}

/**
 * Adds the rows of a manifest while it is read, some at a time. Added rows survive a crash, and existing rows are not added again.
 * @param onAdded called with the number of added rows, even if the rest was refused
 * @throws Fault `batch.full`, `batch.not_found`, or `manifest.invalid` with the number of stored rows
 */
export const addRows = async (
  batches: BatchRecords,
  id: string,
  entries: AsyncIterable<ManifestEntry> | Iterable<ManifestEntry>,
  onAdded: (rows: number) => Promise<void>,
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
    throw new Fault('manifest.invalid', 'caller', `${error.message} ${storedRowsText(adding.result)}`, {
      problems: error.problems,
    });
  } finally {
    await onAdded(adding.result.added);
  }
  return adding.result;
};

/** Adds the rows of a manifest to a batch. */
export class AddRows {
  constructor(private readonly ports: Pick<BatchPorts, 'batches' | 'limiter'>) {}

  /**
   * @param complete no more rows follow
   * @throws Fault `batch.cancelled`, or as `addRows`
   */
  async run(
    id: string,
    entries: AsyncIterable<ManifestEntry>,
    complete: boolean,
    principal: Principal,
  ): Promise<RowsAdded> {
    const { batches, limiter } = this.ports;
    const { status } = await findBatch(batches, id);
    if (status === 'cancelled')
      throw new Fault('batch.cancelled', 'conflict', `Batch ${id} was cancelled; no row was added.`);
    const added = await addRows(batches, id, entries, (rows) => limiter.chargeSubmissions(principal.id, rows));
    if (complete) await batches.complete(id);
    return added;
  }
}
