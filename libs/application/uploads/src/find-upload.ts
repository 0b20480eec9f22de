import { Fault } from '@fleet/contracts/faults';
import type { Upload } from '@fleet/contracts/uploads';
import type { UploadStore } from '@fleet/ports';

export const noUpload = (id: string): Fault =>
  new Fault(
    'upload.not_found',
    'not_found',
    `Unknown upload ${JSON.stringify(id.slice(0, 64))}: it may be removed or expired. Start a new one.`,
  );

/** @throws Fault `upload.not_found` */
export const findUpload = async (store: Pick<UploadStore, 'find'>, id: string): Promise<Upload> => {
  const upload = /^[0-9a-f]{32}$/.test(id) ? await store.find(id) : undefined;
  if (upload === undefined) throw noUpload(id);
  return upload;
};
