import {
  batchSchema,
  Fault,
  rowVerdicts,
  withDefaults,
  type Batch,
  type BatchState,
  type BatchStatus,
  type Priority,
  type RowVerdict,
} from '@fleet/contracts';
import type { NewRow, RowOutcome, StoredRow } from '@fleet/ports';

/** Fields of a batch's hash, in the order in which `stateFrom` takes them. */
export const batchFields = [
  'batch',
  'status',
  'complete',
  'rows',
  'priority',
  'archived',
  'changed',
  ...rowVerdicts.map((verdict) => `n:${verdict}`),
];

const damaged = (what: string, cause?: unknown): Fault =>
  new Fault('batch.damaged', 'bug', `the record of ${what} is damaged`, { cause });

const parsed = (what: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw damaged(what, cause);
  }
};

export const batchFrom = (id: string, text: string): Batch => {
  // What it says for its rows stays as it was said: what it does not say is for the rows to say.
  const { defaults, ...batch } = parsed(`batch ${id}`, text) as Batch;
  return { ...(withDefaults(batchSchema, batch) as Batch), ...(defaults !== undefined && { defaults }) };
};

/** A priority that was given later, as it is stored. */
export const laterPriority = (stored: string | null | undefined): Pick<BatchState, 'priority'> =>
  typeof stored === 'string' ? { priority: stored as Priority } : {};

/**
 * Values of `batchFields`; undefined when there is no such batch.
 * @throws Fault `batch.damaged` (bug)
 */
export const stateFrom = (id: string, values: readonly (string | null)[]): BatchState | undefined => {
  const [batch, status, complete, rows, priority, archived, changed, ...counts] = values;
  if (typeof batch !== 'string') return undefined;
  const verdicts = Object.fromEntries(rowVerdicts.map((verdict, index) => [verdict, Number(counts[index] ?? 0)]));
  return {
    batch: batchFrom(id, batch),
    status: (status ?? 'open') as BatchStatus,
    complete: complete === '1',
    rows: Number(rows),
    verdicts: verdicts as BatchState['verdicts'],
    ...laterPriority(priority),
    archived: Number(archived ?? 0),
    changedAt: Number(changed ?? 0),
  };
};

/** How the verdict of a new row begins, and what is stored of it. */
export const newRowFields = ({ digest, line, content }: NewRow): readonly [string, RowVerdict, string, string] => {
  const read = 'row' in content;
  const verdict = read ? 'waiting' : 'rejected';
  const outcome = read ? {} : { problems: [content.problem] };
  return [digest, verdict, [verdict, 0, digest, line, JSON.stringify(outcome)].join(' '), read ? content.row : ''];
};

/** What is stored of an outcome beside its verdict. */
export const outcomeText = ({ session, earlier, problems, unused, first }: RowOutcome): string =>
  JSON.stringify({ session, earlier, problems, unused, first });

const rowForm = /^(\S+) (\d+) (\S+) (\d+) (.*)$/s;

/** @throws Fault `batch.damaged` (bug) */
export const rowFrom = (id: string, row: number, stored: string): StoredRow => {
  const what = `row ${String(row)} of batch ${id}`;
  const [, verdict, run, digest = '', line, outcome = ''] = rowForm.exec(stored) ?? [];
  if (verdict === undefined) throw damaged(what);
  return {
    row,
    verdict: verdict as RowVerdict,
    run: Number(run),
    digest,
    line: Number(line),
    ...(parsed(what, outcome) as Omit<RowOutcome, 'verdict'>),
  };
};

/** What stands for a batch in a list, so that the order of the texts is that of time. */
export const listedBatch = ({ id, createdAt }: Pick<Batch, 'id' | 'createdAt'>): string =>
  `${String(Date.parse(createdAt)).padStart(15, '0')}:${id}`;
