import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import type { CycleRecord, SessionView, StoredEvent } from '@fleet/contracts';
import { isSimulated, plainLine, programTime, type MetricDefinitions } from '@fleet/session-report';
import { durationText } from '../format/durations';
import { fetchEvents } from '../api/story-calls';
import { texts } from '../texts';
import { CycleDetails } from './cycle-details';
import { scrollToCycle } from './cycle-link';
import { changesOf } from './metric-changes';

interface Carded {
  readonly session: SessionView;
  readonly definitions: MetricDefinitions;
}

const marks = { running: '●', success: '✓', failed: '✗' } as const;

/** What went better or worse than where it was measured before. */
const Changes = ({
  cycles,
  cycle,
  definitions,
}: {
  readonly cycles: readonly CycleRecord[];
  readonly cycle: CycleRecord;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <>
    {changesOf(cycles, cycle, definitions).map(({ name, text, delta, direction }) => (
      <span key={name} className="change">
        {text}
        {delta !== undefined && <span className={`trend-${direction}`}> {delta}</span>}
      </span>
    ))}
  </>
);

const Card = ({
  session,
  cycle,
  definitions,
  events,
}: Carded & { readonly cycle: CycleRecord; readonly events: readonly StoredEvent[] }): ReactElement => {
  const { decision, result } = cycle;
  const outcome = result?.outcome ?? 'running';
  const isLast = cycle.cycle === session.cycles.at(-1)?.cycle;
  return (
    <details className={`card card-${outcome}`} id={`cycle-${String(cycle.cycle)}`} open={isLast}>
      <summary>
        <span className={`mark mark-${outcome}`} role="img" aria-label={outcome}>
          {marks[outcome]}
        </span>
        <span className="card-number">{cycle.cycle}</span>
        <span className="card-program">{decision.program.replace(/^phenix\./, '')}</span>
        <span className="quiet small">{decision.step.replaceAll('_', ' ')}</span>
        {isSimulated(cycle) && <span className="simulated">{texts.session.simulated}</span>}
        <span className="card-summary">{plainLine(result?.summary ?? decision.reasoning)}</span>
        <Changes cycles={session.cycles} cycle={cycle} definitions={definitions} />
        <span className="quiet small card-time">{durationText(programTime(cycle))}</span>
      </summary>
      <CycleDetails session={session} cycle={cycle} definitions={definitions} events={events} />
    </details>
  );
};

/**
 * The cycles, the newest first.
 * @param cycle the one that the address names: it is opened, and shown
 */
export const CycleCards = ({
  cycle: shown,
  ...carded
}: Carded & { readonly cycle: string | undefined }): ReactElement => {
  const { id, cycles } = carded.session;
  const isThere = cycles.some(({ cycle }) => String(cycle) === shown);
  useEffect(() => {
    if (isThere) scrollToCycle(Number(shown));
  }, [shown, isThere]);
  const events = useQuery({ queryKey: ['session', id, 'events'], queryFn: ({ signal }) => fetchEvents(id, signal) });
  if (cycles.length === 0) return <p className="empty">{texts.session.noCycles}</p>;
  return (
    <div className="cards">
      {cycles.toReversed().map((cycle) => (
        <Card key={cycle.cycle} cycle={cycle} events={events.data ?? []} {...carded} />
      ))}
    </div>
  );
};
