import type { OwedFile, OwedFiles, SessionFolderPort, SessionRecords } from '@fleet/ports';
import type { SessionKnowledge } from './session-ports';

/** Sessions that are written at a time: a file server may be slow. */
const atOnce = 8;
/** Milliseconds for which nobody else writes the same session; who dies with it keeps it waiting no longer. */
const claimMs = 30_000;

interface FollowerPorts {
  readonly owed: OwedFiles;
  readonly records: Pick<SessionRecords, 'load'>;
  readonly folder: Pick<SessionFolderPort, 'writeSession' | 'writeSummary'>;
  readonly knowledge: Pick<SessionKnowledge, 'summary'>;
  /** Hears of a session whose files could not be written just now; they stay owed. */
  readonly onUnwritten: (sessionId: string, error: unknown) => void;
}

/**
 * The one writer of `session.json`, from which a session can be rebuilt, and of `summary.md`. It follows the moves: which folders are behind
 * stands in the store. Any number may run, in any process, without a leader.
 */
export class FolderFollower {
  constructor(private readonly ports: FollowerPorts) {}

  /** One check. True: there was something to do. */
  async look(): Promise<boolean> {
    const claimed = await this.ports.owed.claim(atOnce, claimMs);
    await Promise.all(claimed.map((owed) => this.write(owed)));
    return claimed.length > 0;
  }

  /** Always the record as it is now, never what a move believed. */
  private async write(owed: OwedFile): Promise<void> {
    const { records, folder, knowledge } = this.ports;
    try {
      const session = await records.load(owed.sessionId);
      if (session !== undefined) {
        await folder.writeSummary(session, knowledge.summary(session));
        await folder.writeSession(session);
      }
      await this.ports.owed.settle(owed);
    } catch (error) {
      this.ports.onUnwritten(owed.sessionId, error);
    }
  }
}
