import { randomBytes } from 'node:crypto';
import { may, notTheirs } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { Upload, UploadRequest } from '@fleet/contracts/uploads';
import { expiry, retentionMs, type UploadPorts } from './upload-ports';

export const exists = ({ name, proposal }: Pick<Upload, 'name' | 'proposal'>): Fault =>
  new Fault(
    'upload.exists',
    'conflict',
    `Proposal ${proposal} has a file ${shown(name)} already, and files are never overwritten: use another name.`,
  );

/** A requested upload. */
export interface UploadOrder {
  readonly request: UploadRequest;
  /** Bytes. */
  readonly size: number;
}

/**
 * Begins an upload.
 * @throws Fault `access.denied`, `upload.exists`, `upload.day_full`
 */
export const beginUpload = async (
  ports: UploadPorts,
  principal: Principal,
  { request: { proposal, filename: name, sha256 }, size }: UploadOrder,
): Promise<Upload> => {
  if (!may(principal, 'upload.write', { proposal, beamline: '' })) throw notTheirs(principal, proposal);
  const upload: Upload = {
    id: randomBytes(16).toString('hex'),
    proposal,
    name,
    size,
    offset: 0,
    state: 'receiving',
    ...expiry(ports),
    version: 0,
    by: principal.id,
    file: '',
    writing: false,
    ...(sha256 !== undefined && { expected: sha256 }),
  };
  if (await ports.files.isTaken(upload)) throw exists(upload);
  const { maxDayBytes } = ports.rules;
  const left = await ports.store.add(upload, retentionMs(ports), maxDayBytes);
  if (left === undefined) return upload;
  throw new Fault(
    'upload.day_full',
    'conflict',
    `${shown(name)} has ${String(size)} bytes, but only ${String(left)} of the ${String(maxDayBytes)} per day of proposal ${proposal} are left. Wait until tomorrow, or ask the operators.`,
  );
};
