import { Fault, isEnded, type Session } from '@fleet/contracts';
import type {
  ArchiveFolder,
  ArchiveProof,
  SessionArchive,
  SessionEvents,
  SessionHistory,
  SessionRecords,
  WholeSession,
} from '@fleet/ports';

/** Archived sessions in memory, as their folders would hold them. */
export class MemoryArchiveFolder implements ArchiveFolder {
  private readonly kept = new Map<string, string>();

  keep(whole: WholeSession): Promise<ArchiveProof> {
    this.kept.set(whole.session.folder, JSON.stringify(whole));
    return Promise.resolve({ version: whole.session.version, record: 'r', events: 'e' });
  }

  async record(folder: string): Promise<Session> {
    return Promise.resolve(this.read(folder).session);
  }

  async history(folder: string): Promise<SessionHistory> {
    return Promise.resolve(this.read(folder));
  }

  /** As if somebody had deleted it. */
  lose(folder: string): void {
    this.kept.delete(folder);
  }

  private read(folder: string): WholeSession {
    const text = this.kept.get(folder);
    if (text === undefined) throw new Fault('archive.missing', 'conflict', `${folder} is gone`);
    return JSON.parse(text) as WholeSession;
  }
}

interface Archiving {
  readonly records: SessionRecords;
  readonly events: SessionEvents;
  readonly archive: SessionArchive;
  readonly folder: ArchiveFolder;
}

/** Records that archive each session as soon as it has ended: what then reads it reads its folder. */
export const archivingAtOnce = ({ records, archive, folder }: Archiving): SessionRecords => {
  const archived = async (id: string): Promise<void> => {
    const head = await records.loadHead(id);
    const whole = head !== undefined && isEnded(head.status) ? await archive.whole(id) : undefined;
    if (whole !== undefined) await archive.leaveRow(id, await folder.keep(whole));
  };
  const after = async <T>(id: string, write: Promise<T>): Promise<T> => {
    const result = await write;
    await archived(id);
    return result;
  };
  return {
    create: (made, events, dueInMs) => after(made.id, records.create(made, events, dueInMs)),
    load: (id) => records.load(id),
    loadHead: (id) => records.loadHead(id),
    advance: (transition) => after(transition.sessionId, records.advance(transition)),
    requestCancel: (id, event) => after(id, records.requestCancel(id, event)),
    advise: (advising) => records.advise(advising),
    prioritise: (prioritising) => records.prioritise(prioritising),
    reopen: (reopening) => after(reopening.sessionId, records.reopen(reopening)),
  };
};
