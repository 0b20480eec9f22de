import type { LaunchState } from '@fleet/contracts/launches';
import { launchesAt, type MaintenanceWindow } from '@fleet/contracts/maintenance';
import { asSaid, type Clock, isoTime, type LaunchControl, openLaunches, systemClock, windowsAhead } from '@fleet/ports';

/** In-memory implementation for tests. */
export class MemoryLaunchControl implements LaunchControl {
  private state = openLaunches;
  private readonly announced = new Map<string, MaintenanceWindow>();

  constructor(private readonly clock: Clock = systemClock) {}

  async read(): Promise<LaunchState> {
    return launchesAt(this.state, await this.windows(), this.clock.now());
  }

  said(): Promise<LaunchState> {
    return Promise.resolve(this.state);
  }

  set(said: Omit<LaunchState, 'since' | 'maintenance'>): Promise<LaunchState> {
    this.state = asSaid(said, this.state, isoTime(this.clock));
    return Promise.resolve(this.state);
  }

  windows(): Promise<readonly MaintenanceWindow[]> {
    return Promise.resolve(windowsAhead([...this.announced.values()], this.clock.now()));
  }

  announce(window: MaintenanceWindow): Promise<void> {
    this.announced.set(window.id, window);
    return Promise.resolve();
  }

  change(window: MaintenanceWindow): Promise<boolean> {
    const isThere = this.announced.has(window.id);
    if (isThere) this.announced.set(window.id, window);
    return Promise.resolve(isThere);
  }

  cancel(id: string): Promise<boolean> {
    return Promise.resolve(this.announced.delete(id));
  }
}
