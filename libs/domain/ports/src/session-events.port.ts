import type { StoredEvent } from '@fleet/contracts/sessions';

export const SESSION_EVENTS = Symbol('SessionEvents');

/** The history of a session, oldest first: its events and its audit trail, both written with the transitions of `SessionRecords`. */
export interface SessionEvents {
  /** Events after `afterId` (`0` for all), oldest first. */
  after(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]>;
  /** As `after`, but waits up to `waitMs` for the first one. */
  waitAfter(id: string, afterId: string, waitMs: number): Promise<readonly StoredEvent[]>;
  /** `version` of the audit trail: one line per applied transition, `<version> <cycle>.<attempt> <stage>-><next>`. */
  transitions(id: string): Promise<readonly string[]>;
}
