import { failureText, Fault, isFault } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { Upload } from '@fleet/contracts/uploads';
import type { IncomingFile } from '@fleet/ports';
import { complete, finishUpload } from './finish-upload';
import { holdingUpload } from './hold-upload';
import { changed, type UploadPorts } from './upload-ports';

/** Bytes, and milliseconds, after which received data are flushed and recorded: a crash of the gateway loses no more. */
const stepBytes = 16 * 1024 * 1024;
const stepMs = 2_000;

/** The bytes of a chunk as they arrive. */
interface ChunkBytes {
  /** @param idleMs maximum pause of the sender in milliseconds */
  pieces(idleMs: number): AsyncIterable<Uint8Array>;
  /** Discards the bytes. */
  passOver(): void;
}

/** A chunk of an upload. */
export interface Chunk {
  readonly offset: number;
  /** Bytes, if the client states it. */
  readonly length: number | undefined;
  readonly body: ChunkBytes;
  /** Called with the complete upload before it gets its name. */
  readonly completing: (upload: Upload, sha256: string) => Promise<void>;
  /** Called with the current offset if the chunk does not fit. */
  readonly misfits: (offset: number) => void;
}

const tooLong = ({ name, size }: Upload): Fault =>
  new Fault(
    'upload.too_long',
    'caller',
    `${shown(name)} was announced with ${String(size)} bytes, but more were sent. They are not stored; start a new upload if the file has changed.`,
  );

const noSpace = ({ name }: Pick<Upload, 'name'>): Fault =>
  new Fault(
    'upload.no_space',
    'transient',
    `There is no space for more of ${shown(name)}. Received bytes are stored: tell the operators, and resume at the offset when there is space.`,
  );

/** One chunk that is being written to its file. */
class Appending {
  private at: number;

  constructor(
    private readonly ports: UploadPorts,
    private readonly file: IncomingFile,
    private recorded: Upload,
  ) {
    this.at = recorded.offset;
  }

  async receive({ body, completing }: Chunk): Promise<Upload> {
    try {
      await this.write(body);
      if (this.at === this.recorded.size)
        return await finishUpload(this.ports, this.recorded, this.file, (sha256) => completing(this.recorded, sha256));
    } catch (error) {
      await this.leaveAfter(error);
      throw error;
    }
    return this.leave(this.at);
  }

  private async write(body: ChunkBytes): Promise<void> {
    let since = performance.now();
    for await (const bytes of body.pieces(this.ports.idleMs)) {
      if (this.at + bytes.length > this.recorded.size) throw tooLong(this.recorded);
      await this.file.write(bytes, this.at);
      this.at += bytes.length;
      const isStep = this.at - this.recorded.offset >= stepBytes || performance.now() - since >= stepMs;
      if (!isStep || this.at === this.recorded.size) continue;
      await this.file.keep();
      this.recorded = await changed(this.ports, this.recorded, { offset: this.at });
      since = performance.now();
    }
  }

  private async leave(offset: number): Promise<Upload> {
    await this.file.keep();
    return changed(this.ports, this.recorded, { offset, writing: false });
  }

  /** Received bytes are kept after an error, except the last byte, which would complete the upload. */
  private async leaveAfter(error: unknown): Promise<void> {
    try {
      const now = await this.ports.store.find(this.recorded.id);
      if (now?.version !== this.recorded.version) return;
      await this.leave(Math.min(this.at, this.recorded.size - 1));
    } catch (second) {
      const reasons = [error, second].map(failureText);
      this.ports.log.warn({ message: 'the end of a chunk is not kept', upload: this.recorded.id, reasons });
    }
  }
}

const checkFits = (upload: Upload, { offset, length = 0, misfits }: Chunk): void => {
  if (upload.state === 'refused') throw new Fault('upload.refused', 'conflict', upload.problem ?? '');
  if (upload.offset !== offset) {
    misfits(upload.offset);
    throw new Fault(
      'upload.wrong_offset',
      'conflict',
      `${shown(upload.name)} continues at byte ${String(upload.offset)}, but this chunk starts at byte ${String(offset)}; it was not stored.`,
    );
  }
  if (length > upload.size - offset) throw tooLong(upload);
};

/** The file of an upload is missing: the upload restarts. */
const restart = async (ports: UploadPorts, upload: Upload, { misfits }: Chunk): Promise<never> => {
  await changed(ports, upload, { offset: 0, file: '', writing: false });
  misfits(0);
  throw new Fault(
    'upload.wrong_offset',
    'conflict',
    `The received bytes of ${shown(upload.name)} are missing in the folder of the service: it continues at byte 0.`,
  );
};

/** The writer that published the file could not record it. */
const named = async (ports: UploadPorts, upload: Upload, { completing }: Chunk): Promise<Upload> => {
  await completing(upload, upload.sha256 ?? '');
  return complete(ports, upload);
};

const append = async (ports: UploadPorts, upload: Upload, chunk: Chunk): Promise<Upload> => {
  if (upload.file !== '' && upload.state === 'receiving' && (await ports.files.isPublished(upload)))
    return named(ports, upload, chunk);
  checkFits(upload, chunk);
  if (upload.state === 'complete') return upload;
  const file = await ports.files.open(upload);
  if (file === undefined) return restart(ports, upload, chunk);
  try {
    const begun = await changed(ports, upload, { file: file.name, writing: true });
    // Only the file that this writer took over: another writer may have taken over since.
    if (upload.file !== '' && upload.file !== begun.file) await ports.files.clear(begun, upload.file);
    return await new Appending(ports, file, begun).receive(chunk);
  } finally {
    await file.close();
  }
};

/**
 * Appends a chunk to an upload; the last one completes it.
 * @throws Fault `upload.busy`, `upload.wrong_offset`, `upload.too_long`, `upload.no_space`, `upload.refused`, `request.rejected`, and those
 * of
 * `finishUpload`
 */
export const appendChunk = async (
  ports: UploadPorts,
  named: Pick<Upload, 'id' | 'name'>,
  chunk: Chunk,
): Promise<Upload> => {
  try {
    return await holdingUpload(ports, named, (upload) => append(ports, upload, chunk));
  } catch (error) {
    throw isFault(error) && error.code === 'upload.no_space' ? noSpace(named) : error;
  } finally {
    chunk.body.passOver();
  }
};
