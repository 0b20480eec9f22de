import type { Upload } from '@fleet/contracts';
import type { UploadStore } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';

export const noUpload = (id: string): ApiError =>
  new ApiError(
    'upload.not_found',
    `There is no upload ${JSON.stringify(id.slice(0, 64))}: it was removed, its time is over, or it never was. Begin a new one.`,
  );

/** @throws ApiError `upload.not_found` */
export const findUpload = async (store: Pick<UploadStore, 'find'>, id: string): Promise<Upload> => {
  const upload = /^[0-9a-f]{32}$/.test(id) ? await store.find(id) : undefined;
  if (upload === undefined) throw noUpload(id);
  return upload;
};
