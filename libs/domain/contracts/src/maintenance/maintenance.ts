import { closed, integer, list, record, text, partial, type Described } from '../schema/schema';
import { oneLine, time } from '../schema/schema-fields';

/** Default number of minutes before a window from which on nothing is launched. */
export const usualDrainMinutes = 30;
/** Maximum length of a window in days. */
export const mostMaintenanceDays = 14;
/** Maximum number of announced windows: each launch checks all of them. */
export const mostMaintenanceWindows = 50;

const from = time('when the work begins');
const until = time('when it ends; programs are launched again from then on');
const message = oneLine('what is done and what it means, in one sentence that everybody reads', 500);
const by = oneLine('who says so', 200);
const drainMinutes = integer('minutes before `from` from which on no program is launched', {
  minimum: 0,
  maximum: 1440,
  default: usualDrainMinutes,
});

export const maintenanceWindowSchema = record(
  'MaintenanceWindow',
  {
    id: text(),
    from,
    until,
    drainMinutes,
    text: message,
    zone: text('the time zone of the facility, in which people see the times'),
    by: text('who announced it; empty: nobody was named, or a screen (`kiosk`) asks'),
    announcedAt: time('when it was announced, or changed last'),
  },
  {},
  'a time in which the service, or what it needs, is worked on: nothing is launched',
);
export type MaintenanceWindow = Described<typeof maintenanceWindowSchema>;

export const maintenanceViewSchema = record('Maintenance', {
  windows: list(maintenanceWindowSchema, 'those that are not over, the next first'),
});
export type MaintenanceView = Described<typeof maintenanceViewSchema>;

/** The request for a new window. */
export const maintenanceRequestSchema = closed(
  record('MaintenanceRequest', { from, until, text: message }, { drainMinutes, by }),
);
export type MaintenanceRequest = Described<typeof maintenanceRequestSchema>;

/** The change of a window; absent members stay. */
export const maintenanceChangeSchema = partial('MaintenanceChange', { from, until, text: message, drainMinutes, by });
export type MaintenanceChange = Described<typeof maintenanceChangeSchema>;
