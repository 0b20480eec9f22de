import { IntegerVariable } from './variable.decorator';

/** Largest delay of a Node timer in milliseconds is 2^31 - 1; a day is plenty. */
export const DAY_MS = 86_400_000;

/** The sweeper wakes forgotten sessions. Every worker runs one. */
export class SweeperConfig {
  @IntegerVariable('FLEET_SWEEP_INTERVAL_MS', {
    what: 'milliseconds between sweeps of a process (with jitter)',
    default: '1000',
    min: 20,
    max: DAY_MS,
  })
  readonly intervalMs: number;

  @IntegerVariable('FLEET_SWEEP_GRACE_MS', {
    what: 'milliseconds after which an unacknowledged wake-up is sent again',
    default: '1000',
    min: 20,
    max: DAY_MS,
  })
  readonly graceMs: number;

  @IntegerVariable('FLEET_SWEEP_RECHECK_MS', {
    what: 'milliseconds until an overdue session is checked again',
    default: '30000',
    min: 20,
    max: DAY_MS,
  })
  readonly recheckMs: number;

  @IntegerVariable('FLEET_SWEEP_BATCH', {
    what: 'sessions per sweep',
    default: '500',
    min: 1,
    max: 10_000,
  })
  readonly batch: number;
}
