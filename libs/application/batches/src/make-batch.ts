import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { may, notTheirs } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import {
  batchRequestSchema,
  type Batch,
  type BatchState,
  type BatchRequest,
  type RowsAdded,
} from '@fleet/contracts/batches';
import { Fault } from '@fleet/contracts/faults';
import { routes } from '@fleet/contracts/routes';
import { withDefaults } from '@fleet/contracts/schema';
import { readFolderPattern, readListedRow, type FolderPattern } from '@fleet/manifest';
import { isoTime } from '@fleet/ports';
import { collectBody, ProblemList } from '@fleet/problems';
import { checkPriority, checkSubmitter, newSessionId } from '@fleet/sessions';
import { addRows } from './add-rows';
import { findBatch } from './find-batch';
import type { BatchPorts } from './batch-ports';
import { principalOfRows } from './principal-of-rows';

type MakingPorts = Pick<BatchPorts, 'batches' | 'sessions' | 'limiter'>;

export interface MadeBatch {
  readonly state: BatchState;
  /** True: the idempotency key was already used for the same batch. */
  readonly replayed: boolean;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Derived from the idempotency key, so that a repeated request finds the batch of the first one. */
const batchIdOfKey = (key: string, owner: string): string => {
  const ownKey = owner === '' ? key : `${owner}\n${key}`;
  const bytes = createHash('sha256').update(`phenix-fleet batch ${ownKey}`).digest();
  const letters = Array.from(bytes.subarray(1, 26), (byte) => alphabet.charAt(byte & 31));
  return alphabet.charAt((bytes[0] ?? 0) & 7) + letters.join('');
};

/** Members of the request that describe the batch; the others describe its rows. */
const batchOf = (request: BatchRequest, id: string, createdAt: string, { id: owner }: Principal): Batch => {
  const { base, defaults, ...fields } = request;
  const { title, proposal, submitter, start, duplicates } = withDefaults(
    batchRequestSchema,
    fields,
  ) as Required<BatchRequest>;
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

const readPattern = ({ folder, base }: BatchRequest, problems: ProblemList): FolderPattern | undefined => {
  if (folder === undefined) return undefined;
  const read = readFolderPattern(folder.pattern, base);
  if ('pattern' in read) return read.pattern;
  for (const { field, reason, allowed } of read.problems) problems.add('field.value', field, reason, allowed);
  return undefined;
};

/** @throws Fault `access.denied` for another's proposal */
const checkOwner = (
  principal: Principal,
  { proposal = 'none', submitter = '' }: BatchRequest,
  problems: ProblemList,
): void => {
  if (!may(principal, 'batch.submit', { proposal, beamline: '' })) throw notTheirs(principal, proposal);
  checkSubmitter(principal, submitter, problems);
};

/** A batch that was created before the site disallowed priority live continues; its rows are checked one by one. */
const checkNew = async (
  id: string,
  { proposal = 'none', defaults: { priority = 'standard', beamline = '' } = {} }: BatchRequest,
  ports: MakingPorts,
  problems: ProblemList,
  { id: owner }: Principal,
): Promise<void> => {
  if (priority !== 'live' || (await ports.batches.load(id)) !== undefined) return;
  const submitter = principalOfRows({ proposal, ...(owner !== '' && { owner }) });
  await checkPriority(submitter, { priority, proposal, beamline }, ports.sessions, problems, 'defaults.priority');
};

const readRequest = async (
  body: unknown,
  id: string,
  ports: MakingPorts,
  principal: Principal,
): Promise<{ readonly request: BatchRequest; readonly pattern?: FolderPattern }> => {
  const problems = new ProblemList();
  const request: BatchRequest = collectBody(routes.batches.make, body, problems);
  if (problems.isEmpty) checkOwner(principal, request, problems);
  const pattern = readPattern(request, problems);
  if (request.rows !== undefined && request.folder !== undefined)
    problems.add('field.value', 'folder', 'stands beside rows', 'rows or a folder, not both');
  await checkNew(id, request, ports, problems, principal);
  if (!problems.isEmpty)
    throw new Fault('batch.invalid', 'caller', 'The batch is invalid; nothing was started.', {
      problems: problems.all,
    });
  return { request, ...(pattern !== undefined && { pattern }) };
};

const conflict = (id: string): Fault =>
  new Fault(
    'idempotency.conflict',
    'conflict',
    `The key belongs to batch ${id}, which was created with another body.`,
    {
      problems: [{ field: 'key', reason: `was used for batch ${id}`, allowed: 'a new key, or the same body' }],
    },
  );

/**
 * Creates a batch, with the rows of the request. Repeated with the same key, it continues where the first request ended: existing rows are
 * not added again.
 */
export class MakeBatch {
  constructor(private readonly ports: MakingPorts) {}

  /** @throws Fault `batch.invalid`, `idempotency.conflict`, `access.denied`, or as `addRows` */
  async run(body: unknown, key: string | undefined, principal: Principal): Promise<MadeBatch> {
    const { batches, limiter, sessions } = this.ports;
    const id = key === undefined ? newSessionId(sessions.clock.now()) : batchIdOfKey(key, principal.id);
    const { request, pattern } = await readRequest(body, id, this.ports, principal);
    const batch = batchOf(request, id, isoTime(sessions.clock), principal);
    const replayed = (await batches.create(batch)) === 'exists';
    if (replayed) {
      const { batch: earlier } = await findBatch(batches, id);
      if (!isDeepStrictEqual({ ...earlier, createdAt: '' }, { ...batch, createdAt: '' })) throw conflict(id);
    }
    const add = (rows: Parameters<typeof addRows>[2]): Promise<RowsAdded> =>
      addRows(batches, id, rows, (added) => limiter.chargeSubmissions(principal.id, added));
    if (request.rows !== undefined) await add(request.rows.map(readListedRow));
    if (pattern !== undefined) await add(sessions.readableBy(principal).fitting(pattern));
    if (request.rows !== undefined || pattern !== undefined) await batches.complete(id);
    return { state: await findBatch(batches, id), replayed };
  }
}
