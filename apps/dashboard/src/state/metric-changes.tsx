import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { CycleRecord, SessionView } from '@fleet/contracts/sessions';
import type { MetricDefinitions } from '@fleet/session-report';
import { changesOf } from '../format/metric-changes';
import { Judged } from './fit-value';

/** Changes of metrics since their previous measurement. */
export const MetricChanges = ({
  session,
  cycle,
  definitions,
}: {
  readonly session: Pick<SessionView, 'cycles'>;
  readonly cycle: CycleRecord;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <>
    {changesOf(session.cycles, cycle, definitions).map(({ name, text, delta, direction }) => (
      <Text component="span" key={name} className="number" fz="xs">
        {text}
        {delta !== undefined && <Judged as={String(direction)}> {delta}</Judged>}
      </Text>
    ))}
  </>
);
