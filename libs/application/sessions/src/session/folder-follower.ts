import type { Session } from '@fleet/contracts/sessions';
import type { OwedFile, OwedFiles, SessionFolderPort, SessionRecords } from '@fleet/ports';
import type { SessionKnowledge } from './session-ports';

/** Sessions that are written concurrently: a file server may be slow. */
const atOnce = 8;
/** Lease on writing a session, in milliseconds; it limits the delay after a crash. */
const claimMs = 30_000;

interface FollowerPorts {
  readonly owed: OwedFiles;
  readonly records: Pick<SessionRecords, 'load'>;
  readonly folder: Pick<SessionFolderPort, 'writeSession' | 'writeSummary'>;
  readonly knowledge: Pick<SessionKnowledge, 'summary'>;
  /** Called if the files of a session could not be written now; they stay due. */
  readonly onUnwritten: (sessionId: string, error: unknown) => void;
}

/** Whether there is more to sum up than what was submitted, which `session.json` states. */
const hasWork = ({ version, cycles }: Session): boolean => version > 1 || cycles.length > 0;

/**
 * The only writer of `session.json`, from which a session can be rebuilt, and of `summary.md`. It follows the transitions: the store lists
 * the folders that are behind. Any number may run, in any process, without a leader.
 */
export class FolderFollower {
  constructor(private readonly ports: FollowerPorts) {}

  /** One check. True: there was work. */
  async look(): Promise<boolean> {
    const claimed = await this.ports.owed.claim(atOnce, claimMs);
    const written = await Promise.all(claimed.map((owed) => this.write(owed)));
    await this.ports.owed.settle(claimed.filter((_, index) => written[index] === true));
    return claimed.length > 0;
  }

  /** Always writes the current record, never the state of a transition. False: it could not be written now. */
  private async write({ sessionId }: OwedFile): Promise<boolean> {
    const { records, folder, knowledge } = this.ports;
    try {
      const session = await records.load(sessionId);
      if (session !== undefined) {
        if (hasWork(session)) await folder.writeSummary(session, knowledge.summary(session));
        await folder.writeSession(session);
      }
      return true;
    } catch (error) {
      this.ports.onUnwritten(sessionId, error);
      return false;
    }
  }
}
