import { isEnded } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import type { SessionFolderPort, SessionRecords } from '@fleet/ports';
import { summaryMarkdown } from '@fleet/session-summary';

/** The one writer of what a session keeps on disk, in every worker: `session.json`, from which it can be rebuilt, and at its end `summary.md`. */
export class SessionKeeper {
  constructor(
    private readonly records: Pick<SessionRecords, 'load'>,
    private readonly folder: Pick<SessionFolderPort, 'writeSession' | 'writeSummary'>,
    private readonly ruleBook: RuleBook,
  ) {}

  /**
   * Always from the record as it is now, never from what a step believes: so that any number of writers, in any order, write
   * something true. A crash between the record's move and this write is healed by the next write, of whichever worker.
   */
  async keep(sessionId: string): Promise<void> {
    const session = await this.records.load(sessionId);
    if (session === undefined) return;
    await this.folder.writeSession(session);
    if (isEnded(session.status)) await this.folder.writeSummary(session, summaryMarkdown(session, this.ruleBook));
  }
}
