import { mostMaintenanceDays, usualDrainMinutes, type MaintenanceWindow } from '@fleet/contracts/maintenance';
import { routes } from '@fleet/contracts/routes';
import { collectBody, ProblemList, refuseProblems } from '@fleet/problems';

/** The fields of a window that an administrator sets. */
export type AnnouncedWindow = Pick<MaintenanceWindow, 'from' | 'until' | 'drainMinutes' | 'text' | 'by'>;

const dayMs = 86_400_000;
/** Maximum number of days before a window begins. */
const mostAheadDays = 366;

/** ISO 8601 with an offset to UTC: a time without one is ambiguous. */
const zonedTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const readTime = (text: string | undefined, field: 'from' | 'until', problems: ProblemList): string => {
  if (text === undefined) return '';
  const at = zonedTime.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  const allowed = 'ISO 8601 with a UTC offset, such as 2026-12-01T08:00+01:00 or 2026-12-01T07:00Z';
  problems.add('field.value', field, 'is not a time with a UTC offset', allowed);
  return '';
};

const checkTimes = ({ from, until }: AnnouncedWindow, now: number, problems: ProblemList): void => {
  const [begin, end] = [Date.parse(from), Date.parse(until)];
  if (Number.isNaN(begin) || Number.isNaN(end)) return;
  if (end <= begin) problems.add('field.value', 'until', 'is not after from', `a time after ${from}`);
  else if (end - begin > mostMaintenanceDays * dayMs)
    problems.add('field.value', 'until', 'makes the window too long', `at most ${String(mostMaintenanceDays)} days`);
  if (end <= now) problems.add('field.value', 'until', 'is over already', 'a time in the future');
  if (begin > now + mostAheadDays * dayMs)
    problems.add('field.value', 'from', 'is too far ahead', `at most ${String(mostAheadDays)} days from now`);
};

const checkText = (text: string, problems: ProblemList): void => {
  if (text === '') problems.add('field.value', 'text', 'is empty', 'what is done, in one sentence');
};

/**
 * Reads a new window.
 * @throws Fault `request.invalid` that names every invalid field
 */
export const readAnnouncement = (body: unknown, now: number): AnnouncedWindow => {
  const problems = new ProblemList();
  const announced = collectBody(routes.maintenanceAdministration.announce, body, problems);
  const fields = {
    from: readTime(announced.from, 'from', problems),
    until: readTime(announced.until, 'until', problems),
    drainMinutes: announced.drainMinutes ?? usualDrainMinutes,
    text: announced.text?.trim() ?? '',
    by: announced.by ?? '',
  };
  if (announced.text !== undefined) checkText(fields.text, problems);
  checkTimes(fields, now, problems);
  refuseProblems(problems);
  return fields;
};

/**
 * Applies a change to a window: absent fields stay.
 * @throws Fault `request.invalid` that names every invalid field
 */
export const readChange = (body: unknown, before: MaintenanceWindow, now: number): AnnouncedWindow => {
  const problems = new ProblemList();
  const change = collectBody(routes.maintenanceAdministration.change, body, problems);
  const fields = {
    from: change.from === undefined ? before.from : readTime(change.from, 'from', problems),
    until: change.until === undefined ? before.until : readTime(change.until, 'until', problems),
    drainMinutes: change.drainMinutes ?? before.drainMinutes,
    text: change.text?.trim() ?? before.text,
    by: change.by ?? '',
  };
  checkText(fields.text, problems);
  checkTimes(fields, now, problems);
  refuseProblems(problems);
  return fields;
};
