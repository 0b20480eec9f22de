import { closed, integer, list, record, text, partial, type Described } from '../schema/schema';
import { oneLine, time } from '../schema/schema-fields';

/** Default number of minutes before a window from which on nothing is launched. */
export const usualDrainMinutes = 30;
/** Maximum length of a window in days. */
export const mostMaintenanceDays = 14;
/** Maximum number of announced windows: each launch checks all of them. */
export const mostMaintenanceWindows = 50;

const from = time('start of the window');
const until = time('end of the window; programs start again from then on');
const message = oneLine('purpose and effect in one sentence, shown to all users', 500);
const by = oneLine('name of the caller', 200);
const drainMinutes = integer('minutes before `from` without program launches', {
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
    zone: text('time zone of the facility, for display'),
    by: text('who announced it; empty: not named, or the caller is a `kiosk`'),
    announcedAt: time('time of the announcement or last change'),
  },
  {},
  'a maintenance window: no program starts during it',
);
export type MaintenanceWindow = Described<typeof maintenanceWindowSchema>;

export const maintenanceViewSchema = record('Maintenance', {
  windows: list(maintenanceWindowSchema, 'windows that have not ended, next first'),
});
export type MaintenanceView = Described<typeof maintenanceViewSchema>;

/** The request for a new window. */
export const maintenanceRequestSchema = closed(
  record('MaintenanceRequest', { from, until, text: message }, { drainMinutes, by }),
);

/** The change of a window; absent members stay. */
export const maintenanceChangeSchema = partial('MaintenanceChange', { from, until, text: message, drainMinutes, by });
