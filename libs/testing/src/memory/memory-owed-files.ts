import type { Clock, OwedFile, OwedFiles } from '@fleet/ports';
import type { MemoryState } from './memory-state';

export class MemoryOwedFiles implements OwedFiles {
  constructor(
    private readonly state: MemoryState,
    private readonly clock: Clock,
  ) {}

  claim(limit: number, claimMs: number): Promise<readonly OwedFile[]> {
    const now = this.clock.now();
    const due = [...this.state.owedFiles].filter(([, { dueAt }]) => dueAt <= now).slice(0, limit);
    for (const [, owed] of due) owed.dueAt = now + claimMs;
    return Promise.resolve(due.map(([sessionId, { move }]) => ({ sessionId, move: String(move) })));
  }

  settle(owed: readonly OwedFile[]): Promise<void> {
    for (const { sessionId, move } of owed) {
      const isWritten = String(this.state.owedFiles.get(sessionId)?.move) === move;
      this.state.owedFiles.delete(sessionId);
      if (!isWritten) this.state.oweFiles(sessionId, this.clock.now());
    }
    return Promise.resolve();
  }
}
