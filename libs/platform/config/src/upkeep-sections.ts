import { IntegerVariable, NumberVariable } from './variable.decorator';

/** Largest delay of a Node timer in milliseconds is 2^31 - 1; a day is plenty. */
export const DAY_MS = 86_400_000;

/** The sweeper wakes what was forgotten. Every worker runs one. */
export class SweeperConfig {
  @IntegerVariable('FLEET_SWEEP_INTERVAL_MS', {
    what: 'milliseconds between two sweeps of one process (with jitter)',
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
    what: 'milliseconds until an overdue session is looked at again',
    default: '30000',
    min: 20,
    max: DAY_MS,
  })
  readonly recheckMs: number;

  @IntegerVariable('FLEET_SWEEP_BATCH', {
    what: 'sessions one sweep looks at',
    default: '500',
    min: 1,
    max: 10_000,
  })
  readonly batch: number;
}

/** Sessions that ended long ago leave Redis; their folders keep them. Their batches follow. Every worker sees to it. */
export class ArchiveConfig {
  @NumberVariable('FLEET_SESSION_RETENTION_DAYS', {
    what: 'days that a session which has ended stays in Redis as a whole; then its folder alone holds its record and events, and Redis a row for lists. Everything still answers for it. A batch keeps what its rows said until all of its sessions are archived. 0 keeps all in Redis',
    default: '7',
    min: 0,
    max: 3650,
  })
  readonly retentionDays: number;

  @IntegerVariable('FLEET_ARCHIVE_INTERVAL_MS', {
    what: 'milliseconds between two looks of one worker for sessions and batches to archive (with jitter)',
    default: '60000',
    min: 20,
    max: DAY_MS,
  })
  readonly intervalMs: number;
}
