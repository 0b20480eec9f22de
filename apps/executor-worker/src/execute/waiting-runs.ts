/**
 * Sessions whose program waits, the first come first, and for what. Only an accelerator, so memory is enough:
 * a session that is forgotten here is woken by the sweeper.
 */
export class WaitingRuns {
  private readonly sessions = new Map<string, string>();

  /** @param waitsFor equal for sessions that wait for the same thing */
  add(sessionId: string, waitsFor: string): void {
    this.sessions.set(sessionId, waitsFor);
  }

  remove(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** Lets all others that wait come first. */
  toTheEnd(sessionId: string): void {
    const waitsFor = this.sessions.get(sessionId);
    if (waitsFor === undefined || !this.sessions.delete(sessionId)) return;
    this.sessions.set(sessionId, waitsFor);
  }

  /** In the order in which they came. */
  list(): readonly string[] {
    return [...this.sessions.keys()];
  }

  /** What a session waits for; undefined when it does not wait. */
  of(sessionId: string): string | undefined {
    return this.sessions.get(sessionId);
  }
}
