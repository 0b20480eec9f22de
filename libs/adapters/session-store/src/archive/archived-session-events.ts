import type { StoredEvent } from '@fleet/contracts';
import {
  type ArchiveFolder,
  isAfter,
  parseEventId,
  type SessionArchive,
  type SessionEvents,
  type SessionHistory,
} from '@fleet/ports';

/** Events given to one reader at once. */
const EVENTS_AT_ONCE = 1000;

/** What happened to sessions of which some are archived: their folders tell it. */
export class ArchivedSessionEvents implements SessionEvents {
  constructor(
    private readonly events: SessionEvents,
    private readonly archive: SessionArchive,
    private readonly folder: ArchiveFolder,
  ) {}

  async after(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]> {
    const there = await this.events.after(id, afterId, limit);
    if (there.length > 0) return there;
    const history = await this.history(id);
    if (history === undefined) return this.events.after(id, afterId, limit);
    const after = parseEventId(afterId);
    return history.events.filter((event) => isAfter(event.id, after)).slice(0, limit);
  }

  async waitAfter(id: string, afterId: string, waitMs: number): Promise<readonly StoredEvent[]> {
    const there = await this.after(id, afterId, EVENTS_AT_ONCE);
    return there.length > 0 ? there : this.events.waitAfter(id, afterId, waitMs);
  }

  async transitions(id: string): Promise<readonly string[]> {
    const there = await this.events.transitions(id);
    if (there.length > 0) return there;
    return (await this.history(id))?.transitions ?? this.events.transitions(id);
  }

  /** Undefined: the store has what there is, also where it was put back while its file was read. */
  private async history(id: string): Promise<SessionHistory | undefined> {
    const found = await this.archive.archived(id);
    if (found === undefined) return undefined;
    try {
      return await this.folder.history(found.head.folder, found.proof);
    } catch (error) {
      if ((await this.archive.archived(id)) === undefined) return undefined;
      throw error;
    }
  }
}
