import { endingKinds, type AttemptEnding, type AttemptRecord, type CycleRecord } from '@fleet/contracts';
import type { Metrics } from '@fleet/ports';

/** Counts programs that start and end; told once each, when the record says so. */
export class RunMeter {
  /** @param programs all that the rule book knows */
  constructor(
    private readonly metrics: Metrics,
    programs: readonly string[],
  ) {
    metrics.declare('program', programs);
    // From 0 on, so that Prometheus sees the first one as an increase.
    for (const one of ['cpu', 'gpu'] as const) metrics.count('phenix_fleet_launches_total', { class: one }, 0);
    for (const kind of endingKinds)
      for (const cause of ['infrastructure', 'program'] as const)
        metrics.count('phenix_fleet_endings_total', { kind, cause }, 0);
  }

  started({ resources }: Pick<AttemptRecord, 'resources'>): void {
    this.metrics.count('phenix_fleet_launches_total', { class: resources?.class ?? 'cpu' });
  }

  ended({ decision }: Pick<CycleRecord, 'decision'>, { kind, infrastructure, durationMs }: AttemptEnding): void {
    const cause = infrastructure ? 'infrastructure' : 'program';
    this.metrics.count('phenix_fleet_endings_total', { kind, cause });
    if (durationMs === 0) return;
    this.metrics.observe('phenix_fleet_program_seconds', { program: decision.program }, durationMs / 1000);
  }
}
