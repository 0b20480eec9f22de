import {
  analysedCycles,
  sessionOutcomes,
  statusOfStopReason,
  type Session,
  type SessionStop,
} from '@fleet/contracts/sessions';
import type { Metrics } from '@fleet/ports';
import { outcomeOf } from '@fleet/session-report';

type Counted = Pick<Metrics, 'count' | 'observe'>;

/** Counts ends from 0 on, so that Prometheus sees the first one as an increase. */
export const countEndsFromZero = (metrics: Counted): void => {
  for (const outcome of sessionOutcomes) metrics.count('phenix_fleet_session_ends_total', { outcome }, 0);
};

/**
 * Counts a session that has ended, and how well its result fits the data; told once, when the record says so.
 * @param cycles all of them, the one that ended it too
 */
export const countEnd = (metrics: Counted, cycles: Session['cycles'], stop: SessionStop): void => {
  const fit = analysedCycles({ cycles }).at(-1)?.result.fit;
  const outcome = outcomeOf({ status: statusOfStopReason[stop.reason], stop, fit });
  if (outcome === undefined) return;
  metrics.count('phenix_fleet_session_ends_total', { outcome });
  if (fit === undefined) return;
  const name = fit.metric === 'r_free' ? 'phenix_fleet_session_r_free' : 'phenix_fleet_session_map_cc';
  metrics.observe(name, { outcome }, fit.value);
};
