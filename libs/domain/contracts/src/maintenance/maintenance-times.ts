import type { LaunchState } from '../launches/launch-control';
import type { MaintenanceWindow } from './maintenance';

const minuteMs = 60_000;
/** How long before a window all users are notified, in milliseconds. */
const toldAheadMs = 7 * 24 * 60 * minuteMs;

/**
 * - `ahead`: programs are launched as usual;
 * - `draining`: none is launched, because it would run into the window;
 * - `underway`: none is launched;
 * - `over`: programs are launched.
 */
export type MaintenancePhase = 'ahead' | 'draining' | 'underway' | 'over';

type Times = Pick<MaintenanceWindow, 'from' | 'until' | 'drainMinutes'>;

/** The time from which on nothing is launched, milliseconds since the epoch. */
export const drainsFrom = ({ from, drainMinutes }: Times): number => Date.parse(from) - drainMinutes * minuteMs;

/** @param now milliseconds since the epoch, by the caller's clock: different clocks change phases at different moments */
export const maintenancePhase = (window: Times, now: number): MaintenancePhase => {
  if (now >= Date.parse(window.until)) return 'over';
  if (now >= Date.parse(window.from)) return 'underway';
  return now >= drainsFrom(window) ? 'draining' : 'ahead';
};

/** The windows that are announced now: from a week before until their end. */
export const shownWindows = (windows: readonly MaintenanceWindow[], now: number): readonly MaintenanceWindow[] =>
  windows.filter(
    (window) =>
      maintenancePhase(window, now) !== 'over' &&
      now >= Math.min(Date.parse(window.from) - toldAheadMs, drainsFrom(window)),
  );

/** Windows that hold launches at a moment, with those that begin to do so before these are over. */
const holding = (windows: readonly MaintenanceWindow[], now: number): readonly MaintenanceWindow[] => {
  let until = now;
  return [...windows]
    .sort((a, b) => drainsFrom(a) - drainsFrom(b))
    .filter((window) => {
      if (maintenancePhase(window, now) === 'over' || drainsFrom(window) > until) return false;
      until = Math.max(until, Date.parse(window.until));
      return true;
    });
};

/**
 * The effective launch state at a moment: the administrator's setting, if it prevents launches; otherwise that of the windows, merged from
 * the first to the end of the last. Launches reopen automatically.
 * @param now milliseconds since the epoch
 */
export const launchesAt = (said: LaunchState, windows: readonly MaintenanceWindow[], now: number): LaunchState => {
  if (said.mode !== 'open') return said;
  const held = holding(windows, now);
  const [first] = held;
  if (first === undefined) return said;
  const isUnderway = held.some((window) => maintenancePhase(window, now) === 'underway');
  const ends = (of: 'from' | 'until'): readonly string[] => held.map((window) => window[of]).sort(byTime);
  const { zone, text, by } = first;
  return {
    mode: isUnderway ? 'paused' : 'draining',
    reason: text,
    by,
    since: new Date(drainsFrom(first)).toISOString(),
    maintenance: { from: ends('from')[0] ?? first.from, until: ends('until').at(-1) ?? first.until, zone },
  };
};

const byTime = (a: string, b: string): number => Date.parse(a) - Date.parse(b);
