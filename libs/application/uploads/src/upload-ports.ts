import { Fault } from '@fleet/contracts/faults';
import type { Upload, UploadRules, UploadView } from '@fleet/contracts/uploads';
import type { Clock, FileInspector, UploadChange, UploadFiles, UploadStore } from '@fleet/ports';

/** Dependencies of uploads. */
export interface UploadPorts {
  readonly store: UploadStore;
  readonly files: UploadFiles;
  readonly inspector: FileInspector;
  readonly clock: Clock;
  readonly rules: UploadRules;
  /** Maximum pause of a client in milliseconds. */
  readonly idleMs: number;
  /** For operators. */
  readonly log: { warn(entry: Readonly<Record<string, unknown>>): void };
}

const hourMs = 3_600_000;
export const retentionMs = ({ rules }: Pick<UploadPorts, 'rules'>): number => rules.keepHours * hourMs;

/** Expiry time if no more data arrive. */
export const expiry = (ports: Pick<UploadPorts, 'rules' | 'clock'>): Pick<Upload, 'expiresAt'> => ({
  expiresAt: new Date(ports.clock.now() + retentionMs(ports)).toISOString(),
});

export const busy = (name: string): Fault =>
  new Fault(
    'upload.busy',
    'conflict',
    `${JSON.stringify(name)} is being written by another request. Wait, query the offset and continue there.`,
  );

/**
 * Changes an upload unless another caller changed it.
 * @throws Fault `upload.busy`
 */
export const changed = async (ports: UploadPorts, upload: Upload, change: UploadChange): Promise<Upload> => {
  const now = await ports.store.change(upload, { ...change, ...expiry(ports) }, retentionMs(ports));
  if (now === undefined) throw busy(upload.name);
  return now;
};

/** The view of an upload for its sender. */
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
