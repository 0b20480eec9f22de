/** Runs the steps of one session one after the other inside this process; across processes the record's version fences them. */
export class SessionMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(sessionId) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.last.set(sessionId, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(sessionId) === turn) this.last.delete(sessionId);
    }
  }
}
