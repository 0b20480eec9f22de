import type { Upload, UploadRules, UploadView } from '@fleet/contracts';
import type { Clock, FileInspector, UploadChange, UploadFiles, UploadStore } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';

/** What uploads are made with. Where nothing can be uploaded there are no `files`. */
export const UPLOAD_PARTS = Symbol('UploadParts');
export interface UploadParts {
  readonly store: UploadStore;
  readonly files: UploadFiles;
  readonly inspector: FileInspector;
  readonly clock: Clock;
  readonly rules: UploadRules;
  /** Milliseconds in which a client has to send something. */
  readonly idleMs: number;
}

const hourMs = 3_600_000;
export const keptMs = ({ rules }: Pick<UploadParts, 'rules'>): number => rules.keepHours * hourMs;

/** When it is over, if nothing comes any more. */
export const expiry = (parts: Pick<UploadParts, 'rules' | 'clock'>): Pick<Upload, 'expiresAt'> => ({
  expiresAt: new Date(parts.clock.now() + keptMs(parts)).toISOString(),
});

export const busy = (name: string): ApiError =>
  new ApiError(
    'upload.busy',
    `${JSON.stringify(name)} is being written to by another request. Wait a little, ask for the offset and continue there.`,
  );

/**
 * Changes an upload that nobody else has changed.
 * @throws ApiError `upload.busy`
 */
export const changed = async (parts: UploadParts, upload: Upload, change: UploadChange): Promise<Upload> => {
  const now = await parts.store.change(upload, { ...change, ...expiry(parts) }, keptMs(parts));
  if (now === undefined) throw busy(upload.name);
  return now;
};

/** What its sender is told. */
export const viewOf = ({
  id,
  proposal,
  name,
  size,
  offset,
  state,
  expiresAt,
  path,
  sha256,
  problem,
}: Upload): UploadView => ({
  id,
  proposal,
  name,
  size,
  offset,
  state,
  expiresAt,
  ...(path !== undefined && { path }),
  ...(state === 'complete' && sha256 !== undefined && { sha256 }),
  ...(problem !== undefined && { problem }),
});
