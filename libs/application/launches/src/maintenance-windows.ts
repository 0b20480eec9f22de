import { doneBy } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import { mostMaintenanceWindows, type MaintenanceWindow } from '@fleet/contracts/maintenance';
import { isoTime } from '@fleet/ports';
import { newSessionId } from '@fleet/sessions';
import type { LaunchPorts } from './launch-ports';
import { readChange, readAnnouncement, type AnnouncedWindow } from './read-window';

/** Maintenance windows. They are stored; executors check them before each launch. */
export class MaintenanceWindows {
  constructor(private readonly ports: Pick<LaunchPorts, 'control' | 'clock' | 'timeZone'>) {}

  list(): Promise<readonly MaintenanceWindow[]> {
    return this.ports.control.windows();
  }

  /** @throws Fault `request.invalid`, `maintenance.too_many` */
  async announce(body: unknown, principal: Principal): Promise<MaintenanceWindow> {
    const { control, clock } = this.ports;
    const now = clock.now();
    const newWindow = readAnnouncement(body, now);
    const announced = await control.windows();
    if (announced.length >= mostMaintenanceWindows)
      throw new Fault(
        'maintenance.too_many',
        'conflict',
        `${String(announced.length)} maintenance windows are announced, and the maximum is ${String(mostMaintenanceWindows)}: cancel some.`,
      );
    const window = this.windowOf(newSessionId(now), newWindow, principal);
    await control.announce(window);
    return window;
  }

  /** @throws Fault `maintenance.not_found`, `request.invalid` */
  async change(
    id: string,
    body: unknown,
    principal: Principal,
  ): Promise<{ readonly before: MaintenanceWindow; readonly after: MaintenanceWindow }> {
    const before = await this.found(id);
    const after = this.windowOf(id, readChange(body, before, this.ports.clock.now()), principal);
    if (!(await this.ports.control.change(after))) throw noSuchWindow(id);
    return { before, after };
  }

  /** @throws Fault `maintenance.not_found` */
  async cancel(id: string): Promise<MaintenanceWindow> {
    const before = await this.found(id);
    if (!(await this.ports.control.cancel(id))) throw noSuchWindow(id);
    return before;
  }

  private windowOf(id: string, newWindow: AnnouncedWindow, principal: Principal): MaintenanceWindow {
    const { timeZone: zone, clock } = this.ports;
    return { ...newWindow, id, by: doneBy(principal, newWindow.by), zone, announcedAt: isoTime(clock) };
  }

  private async found(id: string): Promise<MaintenanceWindow> {
    const window = (await this.ports.control.windows()).find((one) => one.id === id);
    if (window === undefined) throw noSuchWindow(id);
    return window;
  }
}

const noSuchWindow = (id: string): Fault =>
  new Fault(
    'maintenance.not_found',
    'not_found',
    `Unknown maintenance window ${JSON.stringify(id)}: it may be over or cancelled. See phx admin maintenance list.`,
  );
