import type { Session, SessionEvent, SessionHead } from '@fleet/contracts';
import type {
  AdvanceResult,
  AdviseResult,
  Advising,
  ArchiveFolder,
  NewSession,
  Prioritising,
  PrioritiseResult,
  Reopening,
  ReopenResult,
  SessionArchive,
  SessionRecords,
  Transition,
} from '@fleet/ports';

/** Session records of which some are archived: those are read from their folders, and put back before they are reopened. */
export class ArchivedSessionRecords implements SessionRecords {
  constructor(
    private readonly records: SessionRecords,
    private readonly archive: SessionArchive,
    private readonly folder: ArchiveFolder,
  ) {}

  create(session: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'> {
    return this.records.create(session, events, dueInMs);
  }

  async load(id: string): Promise<Session | undefined> {
    const session = await this.records.load(id);
    if (session !== undefined) return session;
    const found = await this.archive.archived(id);
    // Undefined where it was put back between the two looks.
    if (found === undefined) return this.records.load(id);
    try {
      return await this.folder.record(found.head.folder, found.proof);
    } catch (error) {
      // Put back while its file was read: the file belongs to the record again.
      const back = await this.records.load(id);
      if (back === undefined) throw error;
      return back;
    }
  }

  loadHead(id: string): Promise<SessionHead | undefined> {
    return this.records.loadHead(id);
  }

  advance(transition: Transition): Promise<AdvanceResult> {
    return this.records.advance(transition);
  }

  requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'> {
    return this.records.requestCancel(id, event);
  }

  advise(advising: Advising): Promise<AdviseResult> {
    return this.records.advise(advising);
  }

  prioritise(prioritising: Prioritising): Promise<PrioritiseResult> {
    return this.records.prioritise(prioritising);
  }

  async reopen(reopening: Reopening): Promise<ReopenResult> {
    const found = await this.archive.archived(reopening.sessionId);
    if (found?.proof.version === reopening.fromVersion) {
      const { head, proof } = found;
      const session = await this.folder.record(head.folder, proof);
      await this.archive.putBack({ session, ...(await this.folder.history(head.folder, proof)) });
    }
    return this.records.reopen(reopening);
  }
}
