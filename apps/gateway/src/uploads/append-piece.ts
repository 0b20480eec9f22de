import { Logger } from '@nestjs/common';
import { failureText, isFault, shown, type Upload } from '@fleet/contracts';
import type { IncomingFile } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';
import { complete, finishUpload } from './finish-upload';
import { holdingUpload } from './hold-upload';
import type { PieceBody } from './piece-body';
import { changed, type UploadParts } from './upload-parts';

/** Bytes, and milliseconds, after which what came is written down as kept: no more is lost with a gateway. */
const stepBytes = 16 * 1024 * 1024;
const stepMs = 2_000;

const logger = new Logger('Uploads');

/** A piece of an upload, as somebody sends it. */
export interface Piece {
  readonly offset: number;
  /** Bytes, where it says so. */
  readonly length: number | undefined;
  readonly body: PieceBody;
  /** Hears what the whole is before it gets its name. */
  readonly completing: (upload: Upload, sha256: string) => Promise<void>;
  /** Hears from which byte on the upload continues where this piece does not fit. */
  readonly misfits: (offset: number) => void;
}

const tooLong = ({ name, size }: Upload): ApiError =>
  new ApiError(
    'upload.too_long',
    `${shown(name)} was said to have ${String(size)} bytes, and more were sent. Those are not kept; begin a new upload if the file has changed.`,
  );

const noSpace = ({ name }: Pick<Upload, 'name'>): ApiError =>
  new ApiError(
    'upload.no_space',
    `There is no room for more of ${shown(name)}. What came is kept: tell the operators, ask for the offset and continue there when there is room.`,
  );

/** One piece on its way into its file. */
class Appending {
  private at: number;

  constructor(
    private readonly parts: UploadParts,
    private readonly file: IncomingFile,
    private kept: Upload,
  ) {
    this.at = kept.offset;
  }

  async receive({ body, completing }: Piece): Promise<Upload> {
    try {
      await this.write(body);
      if (this.at === this.kept.size)
        return await finishUpload(this.parts, this.kept, this.file, (sha256) => completing(this.kept, sha256));
    } catch (error) {
      await this.leaveAfter(error);
      throw error;
    }
    return this.leave(this.at);
  }

  private async write(body: PieceBody): Promise<void> {
    let since = performance.now();
    for await (const bytes of body.pieces(this.parts.idleMs)) {
      if (this.at + bytes.length > this.kept.size) throw tooLong(this.kept);
      await this.file.write(bytes, this.at);
      this.at += bytes.length;
      const isStep = this.at - this.kept.offset >= stepBytes || performance.now() - since >= stepMs;
      if (!isStep || this.at === this.kept.size) continue;
      await this.file.keep();
      this.kept = await changed(this.parts, this.kept, { offset: this.at });
      since = performance.now();
    }
  }

  private async leave(offset: number): Promise<Upload> {
    await this.file.keep();
    return changed(this.parts, this.kept, { offset, writing: false });
  }

  /** What came until something went wrong is kept, but for the last byte: that completes it. */
  private async leaveAfter(error: unknown): Promise<void> {
    try {
      const now = await this.parts.store.find(this.kept.id);
      if (now?.version !== this.kept.version) return;
      await this.leave(Math.min(this.at, this.kept.size - 1));
    } catch (second) {
      const reasons = [error, second].map(failureText);
      logger.warn({ message: 'the end of a piece is not kept', upload: this.kept.id, reasons });
    }
  }
}

const checkFits = (upload: Upload, { offset, length = 0, misfits }: Piece): void => {
  if (upload.state === 'refused') throw new ApiError('upload.refused', upload.problem ?? '');
  if (upload.offset !== offset) {
    misfits(upload.offset);
    throw new ApiError(
      'upload.wrong_offset',
      `${shown(upload.name)} continues at byte ${String(upload.offset)}, and this piece is from byte ${String(offset)} on; nothing of it was kept.`,
    );
  }
  if (length > upload.size - offset) throw tooLong(upload);
};

/** The file that an upload has is gone: it begins again. */
const restart = async (parts: UploadParts, upload: Upload, { misfits }: Piece): Promise<never> => {
  await changed(parts, upload, { offset: 0, file: '', writing: false });
  misfits(0);
  throw new ApiError(
    'upload.wrong_offset',
    `What arrived of ${shown(upload.name)} is gone from the folder of the service: it continues at byte 0.`,
  );
};

/** Whoever gave it its name could not say so any more. */
const named = async (parts: UploadParts, upload: Upload, { completing }: Piece): Promise<Upload> => {
  await completing(upload, upload.sha256 ?? '');
  return complete(parts, upload);
};

const append = async (parts: UploadParts, upload: Upload, piece: Piece): Promise<Upload> => {
  if (upload.file !== '' && upload.state === 'receiving' && (await parts.files.isPublished(upload)))
    return named(parts, upload, piece);
  checkFits(upload, piece);
  if (upload.state === 'complete') return upload;
  const file = await parts.files.open(upload);
  if (file === undefined) return restart(parts, upload, piece);
  try {
    const begun = await changed(parts, upload, { file: file.name, writing: true });
    // The one that was taken over from, and no other: somebody may have taken over from this one meanwhile.
    if (upload.file !== '' && upload.file !== begun.file) await parts.files.clear(begun, upload.file);
    return await new Appending(parts, file, begun).receive(piece);
  } finally {
    await file.close();
  }
};

/**
 * Takes a piece of an upload; the last one completes it.
 * @throws ApiError `upload.busy`, `upload.wrong_offset`, `upload.too_long`, `upload.no_space`, `upload.refused`, `request.rejected`, and what
 * `finishUpload` throws
 */
export const appendPiece = async (
  parts: UploadParts,
  named: Pick<Upload, 'id' | 'name'>,
  piece: Piece,
): Promise<Upload> => {
  try {
    return await holdingUpload(parts, named, (upload) => append(parts, upload, piece));
  } catch (error) {
    throw isFault(error) && error.code === 'upload.no_space' ? noSpace(named) : error;
  } finally {
    piece.body.passOver();
  }
};
