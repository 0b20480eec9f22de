import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import type { Upload } from '@fleet/contracts/uploads';
import { appendChunk, type Chunk } from './append-chunk';
import { beginUpload, type UploadOrder } from './begin-upload';
import { findUpload } from './find-upload';
import { holdingUpload } from './hold-upload';
import { busy, type UploadPorts } from './upload-ports';

/** The commands of uploads: files that arrive in chunks, resumable. */
export class Uploads {
  constructor(private readonly ports: UploadPorts) {}

  get rules(): UploadPorts['rules'] {
    return this.ports.rules;
  }

  /** @throws Fault `upload.not_found` */
  find(id: string): Promise<Upload> {
    return findUpload(this.ports.store, id);
  }

  /** @throws Fault as `beginUpload` */
  begin(principal: Principal, order: UploadOrder): Promise<Upload> {
    return beginUpload(this.ports, principal, order);
  }

  /** @throws Fault as `appendChunk` */
  append(upload: Upload, chunk: Chunk): Promise<Upload> {
    return appendChunk(this.ports, upload, chunk);
  }

  /**
   * Removes an incomplete upload, with its bytes.
   * @param removing called before the removal
   * @throws Fault `upload.not_found`, `upload.busy`, `upload.complete`
   */
  async remove(id: string, removing: (upload: Upload) => void): Promise<void> {
    const { store, files } = this.ports;
    await holdingUpload(this.ports, await this.find(id), async (upload) => {
      if (upload.state === 'complete')
        throw new Fault(
          'upload.complete',
          'conflict',
          `The upload is complete; its file belongs to the proposal and is kept.`,
        );
      removing(upload);
      if (!(await store.remove(upload))) throw busy(upload.name);
      await files.clear(upload);
    });
  }
}
