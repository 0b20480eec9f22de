/** Lets the steps of one session follow one another inside this process; the record's version fences the other processes. */
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
