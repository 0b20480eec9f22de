import { analysedCycles, sessionOutcomes, statusOfStopReason, type Session, type SessionStop } from '@fleet/contracts';
import type { Metrics } from '@fleet/ports';
import { outcomeOf } from '@fleet/session-report';

/** Counts sessions that a decision ends, and how well their results fit the data; told once each, when the record says so. */
export class EndMeter {
  constructor(private readonly metrics: Pick<Metrics, 'count' | 'observe'>) {
    // From 0 on, so that Prometheus sees the first one as an increase.
    for (const outcome of sessionOutcomes) metrics.count('phenix_fleet_session_ends_total', { outcome }, 0);
  }

  /** @param session as it was before its end */
  ended(session: Pick<Session, 'cycles'>, stop: SessionStop): void {
    const fit = analysedCycles(session).at(-1)?.result.fit;
    const outcome = outcomeOf({ status: statusOfStopReason[stop.reason], stop, fit });
    if (outcome === undefined) return;
    this.metrics.count('phenix_fleet_session_ends_total', { outcome });
    if (fit === undefined) return;
    const name = fit.metric === 'r_free' ? 'phenix_fleet_session_r_free' : 'phenix_fleet_session_map_cc';
    this.metrics.observe(name, { outcome }, fit.value);
  }
}
