import type { LaunchState } from '../launches/launch-control';
import type { MaintenanceWindow } from './maintenance';
import { launchesAt, maintenancePhase, shownWindows } from './maintenance-times';

const at = (time: string): number => Date.parse(`2026-12-01T${time}Z`);
const aWindow = (from: string, until: string, more: Partial<MaintenanceWindow> = {}): MaintenanceWindow => ({
  id: `${from}-${until}`,
  from: new Date(at(from)).toISOString(),
  until: new Date(at(until)).toISOString(),
  drainMinutes: 30,
  text: `work from ${from}`,
  zone: 'Europe/Paris',
  by: 'ada',
  announcedAt: '2026-11-20T08:00:00.000Z',
  ...more,
});
const open: LaunchState = { mode: 'open', reason: '', by: '', since: '' };
const modeAt = (time: string, ...windows: readonly MaintenanceWindow[]): string =>
  launchesAt(open, windows, at(time)).mode;

describe('a maintenance window', () => {
  const morning = aWindow('08:00', '12:00');

  it.each([
    ['07:29:59', 'ahead', 'open'],
    ['07:30', 'draining', 'draining'],
    ['07:59:59', 'draining', 'draining'],
    ['08:00', 'underway', 'paused'],
    ['11:59:59', 'underway', 'paused'],
    ['12:00', 'over', 'open'],
  ])('at %s is %s, and launches are %s', (time, phase, mode) => {
    expect([maintenancePhase(morning, at(time)), modeAt(time, morning)]).toEqual([phase, mode]);
  });

  it('contains its end, reason, author and announcement time', () => {
    expect(launchesAt(open, [morning], at('07:45'))).toEqual({
      mode: 'draining',
      reason: 'work from 08:00',
      by: 'ada',
      since: '2026-12-01T07:30:00.000Z',
      maintenance: { from: morning.from, until: morning.until, zone: 'Europe/Paris' },
    });
  });

  it('holds nothing before it if it needs no time to drain', () => {
    const sudden = aWindow('08:00', '12:00', { drainMinutes: 0 });
    expect([modeAt('07:59:59', sudden), modeAt('08:00', sudden)]).toEqual(['open', 'paused']);
  });

  it("does not override an administrator's setting", () => {
    const paused: LaunchState = { mode: 'paused', reason: 'a fire', by: 'bob', since: '2026-12-01T07:00:00.000Z' };
    expect(launchesAt(paused, [morning], at('09:00'))).toBe(paused);
    expect(launchesAt({ ...open, by: 'bob' }, [morning], at('13:00'))).toMatchObject({ mode: 'open', by: 'bob' });
  });
});

describe('several maintenance windows', () => {
  const untilAt = (time: string, ...windows: readonly MaintenanceWindow[]): string | undefined =>
    launchesAt(open, windows, at(time)).maintenance?.until.slice(11, 16);

  it('that overlap or follow each other hold launches as one, in any order of announcement', () => {
    const [first, second, third] = [aWindow('08:00', '10:00'), aWindow('09:00', '12:00'), aWindow('12:15', '14:00')];
    for (const windows of [
      [first, second, third],
      [third, second, first],
    ]) {
      expect(untilAt('08:30', ...windows)).toBe('14:00');
      expect(launchesAt(open, windows, at('12:05'))).toMatchObject({
        mode: 'draining',
        reason: 'work from 12:15',
        maintenance: { from: '2026-12-01T12:15:00.000Z', until: '2026-12-01T14:00:00.000Z' },
      });
    }
  });

  it('that are nested end with the longest', () => {
    expect(untilAt('08:30', aWindow('08:00', '14:00'), aWindow('09:00', '10:00'))).toBe('14:00');
  });

  it('with time between them let programs start there', () => {
    const windows = [aWindow('08:00', '10:00'), aWindow('12:00', '14:00')];
    expect([untilAt('09:00', ...windows), modeAt('10:30', ...windows), modeAt('11:30', ...windows)]).toEqual([
      '10:00',
      'open',
      'draining',
    ]);
  });

  it('that are over hold nothing', () => {
    expect(modeAt('15:00', aWindow('08:00', '10:00'), aWindow('12:00', '14:00'))).toBe('open');
  });
});

describe('the announcement to users', () => {
  const window = aWindow('08:00', '12:00');
  const isShown = (now: string): boolean => shownWindows([window], Date.parse(now)).length === 1;

  it('begins a week before and ends with the window', () => {
    expect([
      isShown('2026-11-24T07:59:59Z'),
      isShown('2026-11-24T08:00:00Z'),
      isShown('2026-12-01T11:59:59Z'),
      isShown('2026-12-01T12:00:00Z'),
    ]).toEqual([false, true, true, false]);
  });
});
