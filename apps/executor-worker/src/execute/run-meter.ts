import {
  endingKinds,
  type AttemptEnding,
  type AttemptRecord,
  type CycleRecord,
  type Session,
} from '@fleet/contracts/sessions';
import type { Metrics, Tracing } from '@fleet/ports';

type RunOf = Pick<Session, 'id' | 'request'>;
type CycleOf = Pick<CycleRecord, 'cycle' | 'decision'>;
type EndedRun = Pick<AttemptRecord, 'attempt' | 'startedAt' | 'resources'> & { readonly ending: AttemptEnding };

/** Counts starts and ends of programs, and reports their runs as spans; once each, when the record is written. */
export class RunMeter {
  /** @param programs all that the rule book knows */
  constructor(
    private readonly metrics: Metrics,
    private readonly tracing: Pick<Tracing, 'tell'>,
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

  ended(session: RunOf, { cycle, decision }: CycleOf, { attempt, startedAt, resources, ending }: EndedRun): void {
    const { kind, infrastructure, durationMs, endedAt } = ending;
    const cause = infrastructure ? 'infrastructure' : 'program';
    this.metrics.count('phenix_fleet_endings_total', { kind, cause });
    if (durationMs === 0) return;
    const { program } = decision;
    this.metrics.observe('phenix_fleet_program_seconds', { program }, durationMs / 1000);
    const facts = { sessionId: session.id, cycle, attempt, program, class: resources?.class ?? 'cpu', outcome: kind };
    this.tracing.tell({ name: 'run.program', facts }, session.request.traceparent, {
      from: startedAt,
      to: endedAt,
      ...((infrastructure || ending.exitCode !== 0) && { failure: kind }),
    });
  }
}
