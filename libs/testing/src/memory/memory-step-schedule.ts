import { isEnded, type SessionHead } from '@fleet/contracts/sessions';
import type { Clock, StepSchedule } from '@fleet/ports';
import { headOf } from '@fleet/session-report';
import type { MemoryState } from './memory-state';

export class MemoryStepSchedule implements StepSchedule {
  constructor(
    private readonly state: MemoryState,
    private readonly clock: Clock,
  ) {}

  unacknowledged(olderThanMs: number, limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return Promise.resolve(this.headsUpTo(this.state.outbox, this.clock.now() - olderThanMs, limit, claimMs));
  }

  acknowledge(id: string, version: number): Promise<void> {
    if (this.state.sessions.get(id)?.session.version === version) this.state.outbox.delete(id);
    return Promise.resolve();
  }

  overdue(limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return Promise.resolve(this.headsUpTo(this.state.due, this.clock.now(), limit, claimMs));
  }

  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined> {
    const stored = this.state.sessions.get(id);
    if (stored?.session.version !== version || isEnded(stored.session.status)) return Promise.resolve(undefined);
    this.state.due.set(id, this.clock.now() + dueInMs);
    if (wakeAgain) {
      stored.session = { ...stored.session, wakeUps: stored.session.wakeUps + 1 };
      this.state.outbox.set(id, this.clock.now());
    }
    return Promise.resolve(headOf(stored.session));
  }

  countFailure(id: string, version: number): Promise<number> {
    const stored = this.state.sessions.get(id);
    if (stored?.session.version !== version || isEnded(stored.session.status)) return Promise.resolve(0);
    const { wakeUps } = stored.session;
    const before = stored.failed?.version === version ? stored.failed : undefined;
    if (before?.wakeUps === wakeUps) return Promise.resolve(before.inARow);
    const inARow = before?.wakeUps === wakeUps - 1 ? before.inARow + 1 : 1;
    stored.failed = { version, wakeUps, inARow };
    return Promise.resolve(inARow);
  }

  private headsUpTo(index: Map<string, number>, until: number, limit: number, claimMs: number): readonly SessionHead[] {
    const first = [...index]
      .filter(([, at]) => at <= until)
      .sort(([, a], [, b]) => a - b)
      .slice(0, limit);
    if (claimMs > 0) for (const [id] of first) index.set(id, until + claimMs);
    return first.flatMap(([id]) => {
      const stored = this.state.sessions.get(id);
      return stored === undefined ? [] : [headOf(stored.session)];
    });
  }
}
