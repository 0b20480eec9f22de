import type { RowProgress, Session, SessionEvent, StoredEvent } from '@fleet/contracts/sessions';

export interface Stored {
  session: Session;
  /** What its row says of the work, as the last move said it. */
  progress: RowProgress;
  /** Digests of what was submitted. */
  readonly content: readonly string[];
  transitions: string[];
  events: StoredEvent[];
  /** The wake-up whose step failed last, and how many in a row did. */
  failed?: { readonly version: number; readonly wakeUps: number; readonly inARow: number };
}

/** What the ports of one store in memory share. */
export class MemoryState {
  readonly sessions = new Map<string, Stored>();
  readonly outbox = new Map<string, number>();
  readonly due = new Map<string, number>();
  /** Sessions whose files are owed, with the number of the move. */
  readonly owedFiles = new Map<string, { move: number; dueAt: number }>();
  /** Each is called after every event. */
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

  /** Until the next event, or the end of the wait. */
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

/** As a database would give it back: a copy, and without what JSON cannot carry. */
export const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
