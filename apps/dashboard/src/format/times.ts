import { durationText } from '@fleet/session-report';

/** Time since then, in the largest unit: `12 s`, `3 h`. A future time counts as now, because clocks differ. */
export const ageText = (at: string, now: number): string => {
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / 1000));
  if (Number.isNaN(seconds)) return at;
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const [size, name] = units.find(([length]) => seconds >= length) ?? [1, 's'];
  return `${String(Math.floor(seconds / size))} ${name}`;
};

/** The same as a phrase: `12 s ago`, `now`. */
export const agoText = (at: string, now: number): string => {
  const age = ageText(at, now);
  if (age === at) return at;
  return age === '0 s' ? 'now' : `${age} ago`;
};

let zone: { readonly timeZone?: string } = {};

/** Sets the facility's time zone for all times; one that is unknown to this browser is ignored. */
export const setTimeZone = (timeZone: string | undefined): void => {
  try {
    zone =
      timeZone === undefined
        ? {}
        : { timeZone: new Intl.DateTimeFormat('en-GB', { timeZone }).resolvedOptions().timeZone };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    zone = {};
  }
};

/** Date and time to the second, with its zone: `2026-11-21 08:00:00 GMT+1`. */
export const timeText = (at: string | number): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const shown = date.toLocaleString('sv-SE', zone);
  const named = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short', ...zone }).formatToParts(date);
  return `${shown} ${named.find(({ type }) => type === 'timeZoneName')?.value ?? ''}`.trimEnd();
};

/** Only the time of day: `08:00:00`. */
export const clockText = (at: number): string => new Date(at).toLocaleTimeString('sv-SE', zone);

/** From its submission to its end, or until now. */
export const runtimeText = (from: string, to: string | undefined, now: number): string => {
  const end = to === undefined ? now : Date.parse(to);
  return durationText(Math.max(0, end - Date.parse(from))).replace(/\.\d s$/, ' s');
};
