import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { may } from '@fleet/access';
import {
  batchWishSchema,
  withDefaults,
  type Batch,
  type BatchState,
  type BatchWish,
  type Principal,
  type RowsAdded,
} from '@fleet/contracts';
import { readFolderPattern, readListedRow, type FolderPattern } from '@fleet/manifest';
import { isoTime } from '@fleet/ports';
import { filesThatFit } from '@fleet/untrusted-files';
import { ApiError } from '../errors/problem-details';
import { checkPriority } from '../submission/check-priority';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { newSessionId } from '../submission/session-id';
import { checkSubmitter, notTheirs } from '../submission/submitted-by';
import { addRows } from './add-rows';
import { findBatch } from './batch-lookup';
import type { BatchRules } from './batch-rules';
import { principalOfRows } from './principal-of-rows';

export interface MadeBatch {
  readonly state: BatchState;
  /** True: the idempotency key had been used for the same batch. */
  readonly replayed: boolean;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** As the id of a session that belongs to a key: derived, so that a repeated request meets the batch of the first one. */
const batchIdOfKey = (key: string, owner: string): string => {
  const ownKey = owner === '' ? key : `${owner}\n${key}`;
  const bytes = createHash('sha256').update(`phenix-fleet batch ${ownKey}`).digest();
  const letters = Array.from(bytes.subarray(1, 26), (byte) => alphabet.charAt(byte & 31));
  return alphabet.charAt((bytes[0] ?? 0) & 7) + letters.join('');
};

/** Members of the wish that say what the batch is; the others say what its rows are. */
const batchOf = (wish: BatchWish, id: string, createdAt: string, { id: owner }: Principal): Batch => {
  const { base, defaults, ...said } = wish;
  const { title, proposal, submitter, start, duplicates } = withDefaults(batchWishSchema, said) as Required<BatchWish>;
  return {
    id,
    title,
    proposal,
    submitter: owner === '' ? submitter : owner,
    start,
    duplicates,
    createdAt,
    ...(owner !== '' && { owner }),
    ...(base !== undefined && { base }),
    ...(defaults !== undefined && { defaults }),
  };
};

const readPattern = ({ folder, base }: BatchWish, problems: ProblemList): FolderPattern | undefined => {
  if (folder === undefined) return undefined;
  const read = readFolderPattern(folder.pattern, base);
  if ('pattern' in read) return read.pattern;
  for (const { field, reason, allowed } of read.problems) problems.add('field.value', field, reason, allowed);
  return undefined;
};

/** @throws ApiError `access.denied` for another's proposal */
const checkOwner = (
  principal: Principal,
  { proposal = 'none', submitter = '' }: BatchWish,
  problems: ProblemList,
): void => {
  if (!may(principal, 'batch.submit', { proposal, beamline: '' })) throw notTheirs(principal, proposal);
  checkSubmitter(principal, submitter, problems);
};

/** A batch that was made before this site allowed nobody live any more continues; its rows are judged each by itself. */
const checkNew = async (
  id: string,
  { proposal = 'none', defaults: { priority = 'standard', beamline = '' } = {} }: BatchWish,
  { batches, submission }: BatchRules,
  problems: ProblemList,
  { id: owner }: Principal,
): Promise<void> => {
  if (priority !== 'live' || (await batches.load(id)) !== undefined) return;
  const submitter = principalOfRows({ proposal, ...(owner !== '' && { owner }) });
  await checkPriority(submitter, { priority, proposal, beamline }, submission, problems, 'defaults.priority');
};

const readWish = async (
  body: unknown,
  id: string,
  rules: BatchRules,
  principal: Principal,
): Promise<{ readonly wish: BatchWish; readonly pattern?: FolderPattern }> => {
  const problems = new ProblemList();
  const wish: BatchWish = readBody(batchWishSchema, body ?? {}, problems);
  if (problems.isEmpty) checkOwner(principal, wish, problems);
  const pattern = readPattern(wish, problems);
  if (wish.rows !== undefined && wish.folder !== undefined)
    problems.add('field.value', 'folder', 'stands beside rows', 'rows or a folder, not both');
  await checkNew(id, wish, rules, problems, principal);
  if (!problems.isEmpty)
    throw new ApiError('batch.invalid', 'The batch cannot be made; nothing was started.', problems.all);
  return { wish, ...(pattern !== undefined && { pattern }) };
};

const conflict = (id: string): ApiError =>
  new ApiError('idempotency.conflict', `The key belongs to batch ${id}, which was made with another body.`, [
    { field: 'Idempotency-Key', reason: `was used for batch ${id}`, allowed: 'a new key, or the same body' },
  ]);

/**
 * Makes a batch, with the rows that come with it. Repeated with the same key, it continues where the first request ended: a row that is there is
 * not added again.
 * @throws ApiError `batch.invalid`, `idempotency.conflict`, or as `addRows`
 */
export const makeBatch = async (
  body: unknown,
  key: string | undefined,
  rules: BatchRules,
  principal: Principal,
): Promise<MadeBatch> => {
  const { batches, clock } = rules;
  const id = key === undefined ? newSessionId(clock.now()) : batchIdOfKey(key, principal.id);
  const { wish, pattern } = await readWish(body, id, rules, principal);
  const batch = batchOf(wish, id, isoTime(clock), principal);
  const replayed = (await batches.create(batch)) === 'exists';
  if (replayed) {
    const { batch: earlier } = await findBatch(batches, id);
    if (!isDeepStrictEqual({ ...earlier, createdAt: '' }, { ...batch, createdAt: '' })) throw conflict(id);
  }
  const add = (rows: Parameters<typeof addRows>[2]): Promise<RowsAdded> =>
    addRows(batches, id, rows, (added) => rules.rowsAdded(principal, added));
  if (wish.rows !== undefined) await add(wish.rows.map(readListedRow));
  if (pattern !== undefined)
    await add(filesThatFit(pattern, await rules.submission.readableBy(principal).beginnings()));
  if (wish.rows !== undefined || pattern !== undefined) await batches.complete(id);
  return { state: await findBatch(batches, id), replayed };
};
