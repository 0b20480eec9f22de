import type { LaunchState } from '@fleet/contracts';
import { isoTime, systemClock, type Clock, type LaunchControl } from '@fleet/ports';
import { asSaid, neverSaid } from './launch-state';

/** The twin for tests of other parts. */
export class MemoryLaunchControl implements LaunchControl {
  private state = neverSaid;

  constructor(private readonly clock: Clock = systemClock) {}

  read(): Promise<LaunchState> {
    return Promise.resolve(this.state);
  }

  set(said: Omit<LaunchState, 'since'>): Promise<LaunchState> {
    this.state = asSaid(said, this.state, isoTime(this.clock));
    return Promise.resolve(this.state);
  }
}
