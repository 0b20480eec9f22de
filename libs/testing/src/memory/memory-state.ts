import type { RowProgress, Session, SessionEvent, StoredEvent } from '@fleet/contracts/sessions';

export interface Stored {
  session: Session;
  /** The progress in its row, from the last move. */
  progress: RowProgress;
  /** Digests of the submitted content. */
  readonly content: readonly string[];
  transitions: string[];
  events: StoredEvent[];
  /** The last wake-up whose step failed, and the number of consecutive failures. */
  failed?: { readonly version: number; readonly wakeUps: number; readonly inARow: number };
}

/** State shared by the ports of one in-memory store. */
export class MemoryState {
  readonly sessions = new Map<string, Stored>();
  readonly outbox = new Map<string, number>();
  readonly due = new Map<string, number>();
  /** Sessions with pending files, and the number of the move. */
  readonly owedFiles = new Map<string, { move: number; dueAt: number }>();
  /** Called after every event. */
  readonly listeners = new Set<() => void>();
  private eventNumber = 0;
  private moveNumber = 0;

  oweFiles(id: string, now: number): void {
    this.moveNumber += 1;
    this.owedFiles.set(id, { dueAt: this.owedFiles.get(id)?.dueAt ?? now, move: this.moveNumber });
  }

  append(id: string, events: readonly SessionEvent[]): void {
    const stored = events.map((event) => {
      this.eventNumber += 1;
      return copy({ ...event, id: `${String(this.eventNumber)}-0` });
    });
    this.sessions.get(id)?.events.push(...stored);
    for (const listener of this.listeners) listener();
  }

  /** Resolves at the next event, or at the timeout. */
  somethingHappens(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.listeners.add(done);
    });
  }
}

/** A copy like one from a database, without what JSON cannot represent. */
export const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
