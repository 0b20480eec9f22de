import type { ArchiveProof } from '@fleet/ports';
import type { RowProgress, Session, SessionEvent, StoredEvent } from '@fleet/contracts';

export interface Stored {
  session: Session;
  /** What its row says of the work, as the last move said it. */
  progress: RowProgress;
  transitions: string[];
  events: StoredEvent[];
  /** Only of an archived one, of which nothing else counts but its row. */
  archived?: ArchiveProof | undefined;
  /** When it ended, in milliseconds, or until when it is claimed; absent while it runs. */
  endedAt?: number | undefined;
  /** The wake-up whose step failed last, and how many in a row did. */
  failed?: { readonly version: number; readonly wakeUps: number; readonly inARow: number };
}

/** What the ports of one store in memory share. */
export class MemoryState {
  readonly sessions = new Map<string, Stored>();
  readonly outbox = new Map<string, number>();
  readonly due = new Map<string, number>();
  /** Each is called after every event. */
  readonly listeners = new Set<() => void>();
  private eventNumber = 0;

  append(id: string, events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.eventNumber += 1;
      this.sessions.get(id)?.events.push(copy({ ...event, id: `${String(this.eventNumber)}-0` }));
    }
    for (const listener of this.listeners) listener();
  }
}

/** As Redis would give it back: a copy, and without what JSON cannot carry. */
export const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
