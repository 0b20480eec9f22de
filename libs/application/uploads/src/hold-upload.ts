import { randomUUID } from 'node:crypto';
import { failureText } from '@fleet/contracts/faults';
import type { Upload } from '@fleet/contracts/uploads';
import { findUpload } from './find-upload';
import { busy, type UploadPorts } from './upload-ports';

/** Milliseconds until an upload can be resumed after its writer was killed. */
const holdMs = 20_000;

/**
 * Runs work on an upload with an exclusive lease.
 * @throws Fault `upload.busy`, `upload.not_found`
 */
export const holdingUpload = async <T>(
  ports: UploadPorts,
  { id, name }: Pick<Upload, 'id' | 'name'>,
  act: (upload: Upload) => Promise<T>,
): Promise<T> => {
  const writer = randomUUID();
  if (!(await ports.store.hold(id, writer, holdMs))) throw busy(name);
  const stay = setInterval(() => {
    ports.store
      .hold(id, writer, holdMs)
      .catch((error: unknown) =>
        ports.log.warn({ message: 'an upload may be taken over', upload: id, reason: failureText(error) }),
      );
  }, holdMs / 4);
  try {
    return await act(await findUpload(ports.store, id));
  } finally {
    clearInterval(stay);
    await ports.store.release(id, writer);
  }
};
