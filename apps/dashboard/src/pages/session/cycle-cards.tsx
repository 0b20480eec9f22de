import { Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { shortName, type CycleRecord, type SessionView, type StoredEvent } from '@fleet/contracts/sessions';
import { isSimulated, plainLine, programTime, type MetricDefinitions } from '@fleet/session-report';
import { durationText } from '../../format/durations';
import { fetchEvents } from '../../api/calls';
import { sessionTexts } from '../../texts/session';
import { CycleDetails } from './cycle-details';
import { scrollToCycle } from './cycle-link';
import css from './session.module.css';
import { MetricChanges } from '../../state/metric-changes';
import { SimulatedBadge } from '../../state/simulated-badge';

interface Carded {
  readonly session: SessionView;
  readonly definitions: MetricDefinitions;
}

const marks = { running: '●', success: '✓', failed: '✗' } as const;

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
    <details className={css.card} data-outcome={outcome} id={`cycle-${String(cycle.cycle)}`} open={isLast}>
      <summary>
        <span className={css.mark} data-mark={outcome} role="img" aria-label={outcome}>
          {marks[outcome]}
        </span>
        <b>{cycle.cycle}</b>
        <b>{shortName(decision.program)}</b>
        <span className="quiet small">{decision.step.replaceAll('_', ' ')}</span>
        {isSimulated(cycle) && <SimulatedBadge />}
        <span className={css.summary}>{plainLine(result?.summary ?? decision.reasoning)}</span>
        <MetricChanges session={session} cycle={cycle} definitions={definitions} />
        <Text component="span" miw={76} ta="right" c="dimmed" fz="xs">
          {durationText(programTime(cycle))}
        </Text>
      </summary>
      <CycleDetails session={session} cycle={cycle} definitions={definitions} events={events} />
    </details>
  );
};

/**
 * The cycles, the newest first.
 * @param cycle the one in the URL: it is opened and scrolled to
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
  if (cycles.length === 0)
    return (
      <Paper component="p" p={40} ta="center" c="dimmed">
        {sessionTexts.noCycles}
      </Paper>
    );
  return (
    <Stack gap="xs" pt="sm">
      {cycles.toReversed().map((cycle) => (
        <Card key={cycle.cycle} cycle={cycle} events={events.data ?? []} {...carded} />
      ))}
    </Stack>
  );
};
