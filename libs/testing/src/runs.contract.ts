import type { MaintenanceWindow } from '@fleet/contracts/maintenance';
import type { Clock, LaunchControl } from '@fleet/ports';
import { ManualClock } from './manual-clock';

/** The implementation under test, and its cleanup. */
export interface Made<T> {
  readonly made: T;
  readonly close: () => Promise<void>;
}
export type Make<T> = (clock: Clock) => Promise<Made<T>>;

/** A window that begins in an hour, lasts four hours and drains half an hour before. */
export const aMaintenanceWindow = (clock: Clock, given: Partial<MaintenanceWindow> = {}): MaintenanceWindow => ({
  id: 'w1',
  from: new Date(clock.now() + 3_600_000).toISOString(),
  until: new Date(clock.now() + 5 * 3_600_000).toISOString(),
  drainMinutes: 30,
  text: 'the file server is moved',
  zone: 'Europe/Paris',
  by: 'ada',
  announcedAt: new Date(clock.now()).toISOString(),
  ...given,
});

const maintenanceContract = (make: Make<LaunchControl>): void => {
  const minute = 60_000;
  let clock: ManualClock;
  let control: LaunchControl;
  let close: () => Promise<void>;
  beforeEach(async () => {
    clock = new ManualClock();
    ({ made: control, close } = await make(clock));
  });
  afterEach(() => close());
  const mode = async (): Promise<string> => (await control.read()).mode;

  it('holds launches before and in a window, and resumes them by itself', async () => {
    const window = aMaintenanceWindow(clock);
    await control.announce(window);
    expect(await control.windows()).toEqual([window]);
    expect(await mode()).toBe('open');
    clock.forward(30 * minute);
    expect(await control.read()).toMatchObject({ mode: 'draining', maintenance: { until: window.until } });
    expect(await control.said()).toEqual({ mode: 'open', reason: '', by: '', since: '' });
    clock.forward(30 * minute);
    expect(await mode()).toBe('paused');
    clock.forward(240 * minute);
    expect([await mode(), await control.windows()]).toEqual(['open', []]);
  });

  it('keeps an administrator’s setting during a window', async () => {
    await control.announce(aMaintenanceWindow(clock));
    const paused = await control.set({ mode: 'paused', reason: 'a fire', by: 'bob' });
    clock.forward(61 * minute);
    expect(await control.read()).toEqual(paused);
    await control.set({ mode: 'open', reason: '', by: 'bob' });
    expect(await control.read()).toMatchObject({ mode: 'paused', reason: 'the file server is moved' });
    clock.forward(240 * minute);
    expect(await control.read()).toMatchObject({ mode: 'open', by: 'bob' });
  });

  it('changes and cancels existing windows, and restores none', async () => {
    const window = aMaintenanceWindow(clock);
    await control.announce(window);
    const longer = { ...window, until: new Date(clock.now() + 600 * minute).toISOString() };
    expect(await control.change(longer)).toBe(true);
    clock.forward(301 * minute);
    expect(await mode()).toBe('paused');
    expect(await control.cancel('w1')).toBe(true);
    expect([await mode(), await control.cancel('w1'), await control.change(longer)]).toEqual(['open', false, false]);
    expect(await control.windows()).toEqual([]);
  });

  it('keeps windows in order, and deletes past ones', async () => {
    const later = aMaintenanceWindow(clock, { id: 'a', until: new Date(clock.now() + 900 * minute).toISOString() });
    await control.announce({ ...later, from: new Date(clock.now() + 600 * minute).toISOString() });
    await control.announce(aMaintenanceWindow(clock, { id: 'b' }));
    expect((await control.windows()).map(({ id }) => id)).toEqual(['b', 'a']);
    clock.forward(301 * minute);
    await control.announce(aMaintenanceWindow(clock, { id: 'c' }));
    expect((await control.windows()).map(({ id }) => id)).toEqual(['c', 'a']);
  });
};

/** The behavior of every LaunchControl. */
export const launchControlContract = (name: string, make: Make<LaunchControl>): void => {
  describe(`${name} as LaunchControl`, () => {
    it('is open by default, and stores who changed it, why and when', async () => {
      const clock = new ManualClock();
      const { made: control, close } = await make(clock);
      expect(await control.read()).toEqual({ mode: 'open', reason: '', by: '', since: '' });
      const since = new Date(clock.now()).toISOString();
      const paused = await control.set({ mode: 'paused', reason: 'the disk is changed', by: 'ada' });
      expect(paused).toEqual({ mode: 'paused', reason: 'the disk is changed', by: 'ada', since });
      expect(await control.read()).toEqual(paused);
      clock.forward(1000);
      expect(await control.set({ mode: 'paused', reason: 'it takes longer', by: 'bob' })).toEqual({
        mode: 'paused',
        reason: 'it takes longer',
        by: 'bob',
        since,
      });
      expect((await control.set({ mode: 'open', reason: '', by: 'bob' })).since).not.toBe(since);
      await close();
    });
    maintenanceContract(make);
  });
};
