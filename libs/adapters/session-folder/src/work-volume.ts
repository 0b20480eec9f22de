import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { reading, type Reading } from '@fleet/ports';

/** Milliseconds; whoever reads the metrics waits for ten. */
const timeoutMs = 2_000;

/** What the file system says of itself; `bavail` is what is free for those who are not root. */
export interface VolumeSizes {
  readonly bsize: number;
  readonly blocks: number;
  readonly bavail: number;
  readonly files: number;
  readonly ffree: number;
}

/**
 * How full the volume of the work root is. A file server that is away lets a look wait for ever, and each wait holds one of the few
 * threads of this process: there is one look at a time, and whoever asks while it hangs is told so at once.
 */
export class WorkVolume {
  private underWay: { readonly since: number; readonly found: Promise<VolumeSizes> } | undefined;

  constructor(
    private readonly workRoot: string,
    private readonly lookAt: (folder: string) => Promise<VolumeSizes> = (folder) => statfs(folder),
    private readonly limitMs = timeoutMs,
  ) {}

  /** @throws Error where the volume does not answer, or not in time */
  async read(): Promise<readonly Reading[]> {
    const { bsize, blocks, bavail, files, ffree } = await this.sizes();
    return [
      reading('phenix_fleet_work_volume_bytes', { state: 'total' }, blocks * bsize),
      reading('phenix_fleet_work_volume_bytes', { state: 'free' }, bavail * bsize),
      // Some file systems make inodes as they are needed, and have no number of them.
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
    const { since, found } = (this.underWay ??= { since: now, found: this.look() });
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
      this.underWay = undefined;
    }
  }
}
