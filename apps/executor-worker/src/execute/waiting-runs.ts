/**
 * Sessions whose program waits for room on this computer, the first come first. Only an accelerator, so memory is enough:
 * a session that is forgotten here is woken by the sweeper.
 */
export class WaitingRuns {
  private readonly sessions = new Set<string>();

  add(sessionId: string): void {
    this.sessions.add(sessionId);
  }

  remove(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** In the order in which they came. */
  list(): readonly string[] {
    return [...this.sessions];
  }
}
