import { Badge, Group, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { shortName, type CycleRecord, type SessionView } from '@fleet/contracts/sessions';
import { isSimulated, plainLine, plainLines, type MetricDefinitions } from '@fleet/session-report';
import { compareTexts } from '../../texts/compare';
import { comparedCommand } from './compared';
import { MetricChanges } from '../../state/metric-changes';
import { SimulatedBadge } from '../../state/simulated-badge';

export interface Side {
  readonly session: SessionView;
  readonly cycle: CycleRecord | undefined;
}

const Command = ({
  session,
  cycle,
  other,
}: Side & { readonly cycle: CycleRecord; readonly other: Side }): ReactElement => {
  const beside = other.cycle === undefined ? undefined : { session: other.session, cycle: other.cycle };
  return (
    <pre data-testid="command">
      {comparedCommand(session, cycle, beside).map(({ text, differs }, at) => (
        <span key={at}>{differs ? <mark>{text}</mark> : text} </span>
      ))}
    </pre>
  );
};

/** One side of a cycle: its program, result, reason and command. */
const HalfCycle = ({
  side: { session, cycle },
  other,
  definitions,
}: {
  readonly side: Side;
  readonly other: Side;
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  if (cycle === undefined) return <p className="quiet">{compareTexts.none}</p>;
  const { decision, result } = cycle;
  const differs = other.cycle !== undefined && other.cycle.decision.program !== decision.program;
  return (
    <>
      <p>
        <Link to="/sessions/$id" params={{ id: session.id }} search={{ view: 'log', cycle: String(cycle.cycle) }}>
          {plainLine(shortName(decision.program))}
        </Link>{' '}
        {differs && (
          <Badge component="span" color="yellow">
            {compareTexts.differs}
          </Badge>
        )}{' '}
        {isSimulated(cycle) && <SimulatedBadge />}
      </p>
      <p className="small">{plainLine(result?.summary ?? '')}</p>
      <Group component="p" gap="2px 14px">
        <MetricChanges session={session} cycle={cycle} definitions={definitions} />
      </Group>
      <details>
        <summary>{compareTexts.why}</summary>
        <p>{plainLines(decision.reasoning)}</p>
      </details>
      <details>
        <summary>{compareTexts.command}</summary>
        <Command session={session} cycle={cycle} other={other} />
      </details>
    </>
  );
};

/** The same cycle of two sessions. */
export const CyclePair = ({
  number,
  sides: [left, right],
  definitions,
}: {
  readonly number: number;
  readonly sides: readonly [Side, Side];
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <Table.Tr data-cycle={number}>
    <Table.Th scope="row">{number}</Table.Th>
    <Table.Td>
      <HalfCycle side={left} other={right} definitions={definitions} />
    </Table.Td>
    <Table.Td>
      <HalfCycle side={right} other={left} definitions={definitions} />
    </Table.Td>
  </Table.Tr>
);
