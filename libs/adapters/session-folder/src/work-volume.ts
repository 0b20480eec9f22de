import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { reading, type Reading } from '@fleet/ports';

/** Milliseconds; the metrics reader waits for ten. */
const timeoutMs = 2_000;

/** Sizes reported by the file system; `bavail` is the free space for users other than root. */
export interface VolumeSizes {
  readonly bsize: number;
  readonly blocks: number;
  readonly bavail: number;
  readonly files: number;
  readonly ffree: number;
}

/**
 * How full the work root's volume is. With an unreachable file server a check waits for ever, and each one blocks one
 * of the few threads of this process. Therefore there is one check at a time, and a call while it hangs fails at once.
 */
export class WorkVolume {
  private inProgress: { readonly since: number; readonly found: Promise<VolumeSizes> } | undefined;

  constructor(
    private readonly workRoot: string,
    private readonly lookAt: (folder: string) => Promise<VolumeSizes> = (folder) => statfs(folder),
    private readonly limitMs = timeoutMs,
  ) {}

  /** @throws Error if the volume does not respond in time */
  async read(): Promise<readonly Reading[]> {
    const { bsize, blocks, bavail, files, ffree } = await this.sizes();
    return [
      reading('phenix_fleet_work_volume_bytes', { state: 'total' }, blocks * bsize),
      reading('phenix_fleet_work_volume_bytes', { state: 'free' }, bavail * bsize),
      // File systems with dynamic inodes do not count them.
      ...(files === 0
        ? []
        : [
            reading('phenix_fleet_work_volume_inodes', { state: 'total' }, files),
            reading('phenix_fleet_work_volume_inodes', { state: 'free' }, ffree),
          ]),
    ];
  }

  private async sizes(): Promise<VolumeSizes> {
    const now = performance.now();
    const { since, found } = (this.inProgress ??= { since: now, found: this.look() });
    const over = new AbortController();
    const late = sleep(Math.max(0, since + this.limitMs - now), undefined, { signal: over.signal }).then(() => {
      const seconds = Math.round((performance.now() - since) / 1000);
      throw new Error(`the work volume has not answered for ${String(seconds)} s`);
    });
    try {
      return await Promise.race([found, late]);
    } finally {
      over.abort();
    }
  }

  private async look(): Promise<VolumeSizes> {
    try {
      return await this.lookAt(this.workRoot);
    } finally {
      this.inProgress = undefined;
    }
  }
}
