import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { failureText, type Upload } from '@fleet/contracts';
import { findUpload } from './upload-lookup';
import { busy, type UploadParts } from './upload-parts';

/** Milliseconds after which an upload whose writer was killed can be continued. */
const holdMs = 20_000;
const logger = new Logger('Uploads');

/**
 * Works on an upload while nobody else does.
 * @throws ApiError `upload.busy`, `upload.not_found`
 */
export const holdingUpload = async <T>(
  parts: UploadParts,
  { id, name }: Pick<Upload, 'id' | 'name'>,
  act: (upload: Upload) => Promise<T>,
): Promise<T> => {
  const writer = randomUUID();
  if (!(await parts.store.hold(id, writer, holdMs))) throw busy(name);
  const stay = setInterval(() => {
    parts.store.hold(id, writer, holdMs).catch((error: unknown) => {
      logger.warn({ message: 'an upload may be taken over', upload: id, reason: failureText(error) });
    });
  }, holdMs / 4);
  try {
    return await act(await findUpload(parts.store, id));
  } finally {
    clearInterval(stay);
    await parts.store.release(id, writer);
  }
};
