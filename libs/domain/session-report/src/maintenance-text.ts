import type { LaunchState } from '@fleet/contracts/launches';
import {
  drainsFrom,
  maintenancePhase,
  type MaintenancePhase,
  type MaintenanceWindow,
} from '@fleet/contracts/maintenance';
import { plainLine } from './plain-text';

type Span = Pick<MaintenanceWindow, 'from' | 'until' | 'zone'>;

const partsOf = (at: string | number, timeZone: string): Readonly<Record<'day' | 'clock' | 'zone', string>> => {
  const shown = (how: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { ...how, timeZone }).format(new Date(at));
  const named = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' }).formatToParts(new Date(at));
  return {
    day: shown({ weekday: 'short', day: 'numeric', month: 'short' }).replace(',', ''),
    clock: shown({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    zone: named.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
  };
};

/** `Tue 1 Dec 08:00 to 12:00 CET`, in the time zone of the facility. */
export const maintenanceSpan = ({ from, until, zone }: Span): string => {
  const [begin, end] = [partsOf(from, zone), partsOf(until, zone)];
  const beginZone = begin.zone === end.zone ? '' : ` ${begin.zone}`;
  const endDay = begin.day === end.day ? '' : `${end.day} `;
  return `${begin.day} ${begin.clock}${beginZone} to ${endDay}${end.clock} ${end.zone}`;
};

const whatHolds = {
  ahead: ({ from, drainMinutes, until, zone }: MaintenanceWindow): string => {
    const drain = partsOf(drainsFrom({ from, drainMinutes, until }), zone);
    return `From ${drain.day} ${drain.clock} on no programs are started`;
  },
  draining: () => 'No programs are started',
  underway: () => 'No programs are started',
} satisfies Readonly<Record<Exclude<MaintenancePhase, 'over'>, (window: MaintenanceWindow) => string>>;

/**
 * The notice about a current or future window for all users.
 * @param now milliseconds since the epoch
 */
export const maintenanceSentence = (window: MaintenanceWindow, now: number): string => {
  const phase = maintenancePhase(window, now);
  const holds = whatHolds[phase === 'over' ? 'underway' : phase](window);
  return `Maintenance ${maintenanceSpan(window)}: ${plainLine(window.text).replace(/\.$/, '')}. ${holds}; what waits starts by itself afterwards.`;
};

/** Why a due program is not launched; empty while launches are open. */
export const heldText = ({ mode, reason, maintenance }: LaunchState): string => {
  if (mode === 'open') return '';
  const given = reason === '' ? '' : `: ${reason}`;
  if (maintenance !== undefined)
    return `maintenance ${maintenanceSpan(maintenance)}${given}; it starts by itself afterwards`;
  return `${mode === 'draining' ? 'the service is being drained' : 'launches are paused'}${given}`;
};
