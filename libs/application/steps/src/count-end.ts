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

/** Initialises the counters with 0, so that Prometheus sees the first end as an increase. */
export const countEndsFromZero = (metrics: Counted): void => {
  for (const outcome of sessionOutcomes) metrics.count('phenix_fleet_session_ends_total', { outcome }, 0);
};

/**
 * Counts an ended session, and how well its result fits the data; once, when the record contains the end.
 * @param cycles all cycles, including the last
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
