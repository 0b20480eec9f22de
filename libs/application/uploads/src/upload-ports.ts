import { Fault } from '@fleet/contracts/faults';
import type { Upload, UploadRules, UploadView } from '@fleet/contracts/uploads';
import type { Clock, FileInspector, UploadChange, UploadFiles, UploadStore } from '@fleet/ports';

/** What uploads are made with. */
export interface UploadPorts {
  readonly store: UploadStore;
  readonly files: UploadFiles;
  readonly inspector: FileInspector;
  readonly clock: Clock;
  readonly rules: UploadRules;
  /** Milliseconds in which a client has to send something. */
  readonly idleMs: number;
  /** For whoever runs the service. */
  readonly log: { warn(entry: Readonly<Record<string, unknown>>): void };
}

const hourMs = 3_600_000;
export const retentionMs = ({ rules }: Pick<UploadPorts, 'rules'>): number => rules.keepHours * hourMs;

/** When it is over, if nothing comes any more. */
export const expiry = (ports: Pick<UploadPorts, 'rules' | 'clock'>): Pick<Upload, 'expiresAt'> => ({
  expiresAt: new Date(ports.clock.now() + retentionMs(ports)).toISOString(),
});

export const busy = (name: string): Fault =>
  new Fault(
    'upload.busy',
    'conflict',
    `${JSON.stringify(name)} is being written to by another request. Wait a little, ask for the offset and continue there.`,
  );

/**
 * Changes an upload that nobody else has changed.
 * @throws Fault `upload.busy`
 */
export const changed = async (ports: UploadPorts, upload: Upload, change: UploadChange): Promise<Upload> => {
  const now = await ports.store.change(upload, { ...change, ...expiry(ports) }, retentionMs(ports));
  if (now === undefined) throw busy(upload.name);
  return now;
};

/** What its sender receives. */
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
