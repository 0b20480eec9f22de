import type { MaintenanceWindow } from '@fleet/contracts/maintenance';
import { heldText, maintenanceSentence, maintenanceSpan } from './maintenance-text';

const window: MaintenanceWindow = {
  id: 'w',
  from: '2026-12-01T07:00:00.000Z',
  until: '2026-12-01T11:00:00.000Z',
  drainMinutes: 30,
  text: 'the file server is moved.',
  zone: 'Europe/Paris',
  by: 'ada',
  announcedAt: '2026-11-20T08:00:00.000Z',
};

describe('maintenance in words', () => {
  it.each([
    ['2026-12-01T07:00:00Z', '2026-12-01T11:00:00Z', 'Europe/Paris', 'Tue 1 Dec 08:00 to 12:00 CET'],
    ['2026-12-01T22:00:00Z', '2026-12-02T05:30:00Z', 'UTC', 'Tue 1 Dec 22:00 to Wed 2 Dec 05:30 UTC'],
    // Daylight saving time ends within it.
    ['2026-10-24T22:00:00Z', '2026-10-25T02:00:00Z', 'Europe/Paris', 'Sun 25 Oct 00:00 CEST to 03:00 CET'],
  ])('%s to %s in %s is %j', (from, until, zone, text) => {
    expect(maintenanceSpan({ from, until, zone })).toBe(text);
  });

  it.each([
    ['2026-12-01T06:00:00Z', 'From Tue 1 Dec 07:30 on no programs are started'],
    ['2026-12-01T06:30:00Z', 'No programs are started'],
    ['2026-12-01T07:00:00Z', 'No programs are started'],
  ])('describes the state at %s to all users', (now, holds) => {
    expect(maintenanceSentence(window, Date.parse(now))).toBe(
      `Maintenance Tue 1 Dec 08:00 to 12:00 CET: the file server is moved. ${holds}; what waits starts by itself afterwards.`,
    );
  });

  it("treats an administrator's text as plain text", () => {
    const now = Date.parse(window.from);
    expect(maintenanceSentence({ ...window, text: 'a \u001b[31mred\u001b[0m word' }, now)).not.toContain('\u001b');
  });

  it('explains to a waiting user why, and until when', () => {
    const held = { mode: 'draining', reason: 'the file server is moved', by: 'ada', since: '' } as const;
    expect(heldText({ ...held, maintenance: window })).toBe(
      'maintenance Tue 1 Dec 08:00 to 12:00 CET: the file server is moved; it starts by itself afterwards',
    );
    expect(heldText(held)).toBe('the service is being drained: the file server is moved');
    expect(heldText({ ...held, mode: 'paused', reason: '' })).toBe('launches are paused');
    expect(heldText({ ...held, mode: 'open' })).toBe('');
  });
});
