import type { ArchiveFolder, SessionArchive } from '@fleet/ports';

/** Sessions of one look. */
const AT_MOST = 50;
/** Those that one look has found are its own for so long, in milliseconds; also how long one that could not be archived waits. */
const CLAIM_MS = 600_000;

export interface ArchiverOptions {
  readonly archive: SessionArchive;
  readonly folder: ArchiveFolder;
  /** Milliseconds that a session which has ended stays in the store. */
  readonly retentionMs: number;
  readonly claimMs?: number;
  /** Hears of a session that stays where it is, and why. */
  readonly onError: (sessionId: string, error: unknown) => void;
}

/**
 * Takes sessions that ended long ago out of the store: their files first, complete and read back, then the deletion, which happens only
 * if nothing has changed meanwhile. Any number of copies may run; where one dies in between, another begins that session again.
 */
export class SessionArchiver {
  constructor(private readonly options: ArchiverOptions) {}

  /** One look. Gives how many sessions were archived. */
  async look(): Promise<number> {
    const { archive, retentionMs, claimMs = CLAIM_MS, onError } = this.options;
    let count = 0;
    for (const { id } of await archive.endedFor(retentionMs, AT_MOST, claimMs)) {
      try {
        if (await this.archiveOne(id)) count += 1;
      } catch (error) {
        onError(id, error);
      }
    }
    return count;
  }

  private async archiveOne(id: string): Promise<boolean> {
    const { archive, folder } = this.options;
    const whole = await archive.whole(id);
    if (whole === undefined) return false;
    return (await archive.leaveRow(id, await folder.keep(whole))) === 'left';
  }
}
