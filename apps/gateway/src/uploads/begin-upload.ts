import { randomBytes } from 'node:crypto';
import { may } from '@fleet/access';
import { shown, type Principal, type Upload } from '@fleet/contracts';
import { ApiError } from '../errors/problem-details';
import { notTheirs } from '../submission/submitted-by';
import type { AskedUpload } from './read-upload';
import { expiry, keptMs, type UploadParts } from './upload-parts';

export const exists = ({ name, proposal }: Pick<Upload, 'name' | 'proposal'>): ApiError =>
  new ApiError(
    'upload.exists',
    `There is a file ${shown(name)} of proposal ${proposal} already, and none is ever overwritten: upload it under another name.`,
  );

/**
 * Begins an upload.
 * @throws ApiError `access.denied`, `upload.exists`, `upload.day_full`
 */
export const beginUpload = async (
  parts: UploadParts,
  principal: Principal,
  { wish: { proposal, filename: name, sha256 }, size }: AskedUpload,
): Promise<Upload> => {
  if (!may(principal, 'upload.write', { proposal, beamline: '' })) throw notTheirs(principal, proposal);
  const upload: Upload = {
    id: randomBytes(16).toString('hex'),
    proposal,
    name,
    size,
    offset: 0,
    state: 'receiving',
    ...expiry(parts),
    version: 0,
    by: principal.id,
    file: '',
    writing: false,
    ...(sha256 !== undefined && { expected: sha256 }),
  };
  if (await parts.files.isTaken(upload)) throw exists(upload);
  const { maxDayBytes } = parts.rules;
  const left = await parts.store.add(upload, keptMs(parts), maxDayBytes);
  if (left === undefined) return upload;
  throw new ApiError(
    'upload.day_full',
    `${shown(name)} has ${String(size)} bytes, and of the ${String(maxDayBytes)} that may be uploaded to proposal ${proposal} in a day ${String(left)} are left. Wait until tomorrow, or ask the operators.`,
  );
};
