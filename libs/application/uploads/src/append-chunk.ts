import { failureText, Fault, isFault } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { Upload } from '@fleet/contracts/uploads';
import type { IncomingFile } from '@fleet/ports';
import { complete, finishUpload } from './finish-upload';
import { holdingUpload } from './hold-upload';
import { changed, type UploadPorts } from './upload-ports';

/** Bytes, and milliseconds, after which what came is written down as kept: no more is lost with a gateway. */
const stepBytes = 16 * 1024 * 1024;
const stepMs = 2_000;

/** The bytes of a chunk as they arrive. */
interface ChunkBytes {
  /** @param idleMs milliseconds in which the sender has to send something */
  pieces(idleMs: number): AsyncIterable<Uint8Array>;
  /** Nobody will read them. */
  passOver(): void;
}

/** A chunk of an upload, as somebody sends it. */
export interface Chunk {
  readonly offset: number;
  /** Bytes, where it says so. */
  readonly length: number | undefined;
  readonly body: ChunkBytes;
  /** Hears what the whole is before it gets its name. */
  readonly completing: (upload: Upload, sha256: string) => Promise<void>;
  /** Hears from which byte on the upload continues where this chunk does not fit. */
  readonly misfits: (offset: number) => void;
}

const tooLong = ({ name, size }: Upload): Fault =>
  new Fault(
    'upload.too_long',
    'caller',
    `${shown(name)} was said to have ${String(size)} bytes, and more were sent. Those are not kept; begin a new upload if the file has changed.`,
  );

const noSpace = ({ name }: Pick<Upload, 'name'>): Fault =>
  new Fault(
    'upload.no_space',
    'transient',
    `There is no room for more of ${shown(name)}. What came is kept: tell the operators, ask for the offset and continue there when there is room.`,
  );

/** One chunk on its way into its file. */
class Appending {
  private at: number;

  constructor(
    private readonly ports: UploadPorts,
    private readonly file: IncomingFile,
    private kept: Upload,
  ) {
    this.at = kept.offset;
  }

  async receive({ body, completing }: Chunk): Promise<Upload> {
    try {
      await this.write(body);
      if (this.at === this.kept.size)
        return await finishUpload(this.ports, this.kept, this.file, (sha256) => completing(this.kept, sha256));
    } catch (error) {
      await this.leaveAfter(error);
      throw error;
    }
    return this.leave(this.at);
  }

  private async write(body: ChunkBytes): Promise<void> {
    let since = performance.now();
    for await (const bytes of body.pieces(this.ports.idleMs)) {
      if (this.at + bytes.length > this.kept.size) throw tooLong(this.kept);
      await this.file.write(bytes, this.at);
      this.at += bytes.length;
      const isStep = this.at - this.kept.offset >= stepBytes || performance.now() - since >= stepMs;
      if (!isStep || this.at === this.kept.size) continue;
      await this.file.keep();
      this.kept = await changed(this.ports, this.kept, { offset: this.at });
      since = performance.now();
    }
  }

  private async leave(offset: number): Promise<Upload> {
    await this.file.keep();
    return changed(this.ports, this.kept, { offset, writing: false });
  }

  /** What came until something went wrong is kept, but for the last byte: that completes it. */
  private async leaveAfter(error: unknown): Promise<void> {
    try {
      const now = await this.ports.store.find(this.kept.id);
      if (now?.version !== this.kept.version) return;
      await this.leave(Math.min(this.at, this.kept.size - 1));
    } catch (second) {
      const reasons = [error, second].map(failureText);
      this.ports.log.warn({ message: 'the end of a chunk is not kept', upload: this.kept.id, reasons });
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
      `${shown(upload.name)} continues at byte ${String(upload.offset)}, and this chunk is from byte ${String(offset)} on; nothing of it was kept.`,
    );
  }
  if (length > upload.size - offset) throw tooLong(upload);
};

/** The file that an upload has is gone: it begins again. */
const restart = async (ports: UploadPorts, upload: Upload, { misfits }: Chunk): Promise<never> => {
  await changed(ports, upload, { offset: 0, file: '', writing: false });
  misfits(0);
  throw new Fault(
    'upload.wrong_offset',
    'conflict',
    `What arrived of ${shown(upload.name)} is gone from the folder of the service: it continues at byte 0.`,
  );
};

/** Whoever gave it its name could not say so any more. */
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
    // The one that was taken over from, and no other: somebody may have taken over from this one meanwhile.
    if (upload.file !== '' && upload.file !== begun.file) await ports.files.clear(begun, upload.file);
    return await new Appending(ports, file, begun).receive(chunk);
  } finally {
    await file.close();
  }
};

/**
 * Takes a chunk of an upload; the last one completes it.
 * @throws Fault `upload.busy`, `upload.wrong_offset`, `upload.too_long`, `upload.no_space`, `upload.refused`, `request.rejected`, and what
 * `finishUpload` throws
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
