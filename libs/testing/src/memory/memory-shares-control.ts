import type { SharesState } from '@fleet/contracts/launches';
import { isoTime, systemClock, type Clock, type SharesControl } from '@fleet/ports';

/** In-memory implementation for tests. */
export class MemorySharesControl implements SharesControl {
  private state: SharesState | undefined;

  constructor(private readonly clock: Clock = systemClock) {}

  read(): Promise<SharesState | undefined> {
    return Promise.resolve(this.state);
  }

  set(said: Omit<SharesState, 'since'>): Promise<SharesState> {
    this.state = { ...said, since: isoTime(this.clock) };
    return Promise.resolve(this.state);
  }
}
