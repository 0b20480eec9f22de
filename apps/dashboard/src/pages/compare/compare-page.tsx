import { Button, Group, Paper, Skeleton, Stack, Table, TextInput } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { plainLine, waitingReason, type MetricDefinitions } from '@fleet/session-report';
import { fetchSession, isFailure, serverNow } from '../../api/calls';
import { Failure } from '../../parts/failure';
import { useDefinitions } from '../../parts/use-definitions';
import { useTitle } from '../../parts/use-title';
import { SessionState } from '../../state/session-state';
import { SimulatedBadge } from '../../state/simulated-badge';
import { stateOf } from '../../format/state-of';
import { sessionTexts } from '../../texts/session';
import { compareTexts } from '../../texts/compare';
import { comparedFacts, cyclePairs } from './compared';
import { isSessionId, type CompareSearch } from './compare-search';
import { CyclePair } from './cycle-pair';
import { TableFrame } from '../../parts/listing';
import { Page } from '../../parts/page';
import css from './compare.module.css';

type Sides = readonly [SessionView, SessionView];

const Head = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { status, stage, cycle, outcome } = session;
  const waiting = waitingReason(session);
  return (
    <Table.Th scope="col">
      <Link to="/sessions/$id" params={{ id: session.id }} search={{}}>
        {plainLine(session.request.title) || session.id}
      </Link>
      <Group component="span" gap="xs" mt={4} fw={400}>
        <SessionState kind={stateOf({ status, stage, cycle, outcome: outcome?.word, waiting })} />
        {session.simulated && <SimulatedBadge />}
      </Group>
    </Table.Th>
  );
};

const Comparison = ({
  sides,
  definitions,
}: {
  readonly sides: Sides;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <TableFrame>
    <Table className={css.compare} data-testid="compare">
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          {sides.map((session, at) => (
            <Head key={at} session={session} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {comparedFacts(sides, definitions, serverNow()).map(({ name, values, differs }) => (
          <Table.Tr key={name} data-differs={differs}>
            <Table.Th scope="row">{name}</Table.Th>
            {values.map((value, at) => (
              <Table.Td key={at}>{differs && value !== '' ? <mark>{value}</mark> : value}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tbody>
        <Table.Tr>
          <Table.Th scope="rowgroup" colSpan={3}>
            {sessionTexts.cycles} <span className="quiet small">{compareTexts.legend}</span>
          </Table.Th>
        </Table.Tr>
        {cyclePairs(sides).map(({ number, cycles: [left, right] }) => (
          <CyclePair
            key={number}
            number={number}
            sides={[
              { session: sides[0], cycle: left },
              { session: sides[1], cycle: right },
            ]}
            definitions={definitions}
          />
        ))}
      </Table.Tbody>
    </Table>
  </TableFrame>
);

/** Asks for the missing session. */
const Ask = ({ search }: { readonly search: CompareSearch }): ReactElement => {
  const navigate = useNavigate();
  const [ids, setIds] = useState({ left: search.left ?? '', right: search.right ?? '' });
  const isWhole = isSessionId(ids.left) && isSessionId(ids.right);
  return (
    <Paper
      component="form"

      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) void navigate({ to: '/compare', search: ids });
      }}
    >
      <Stack gap={10} maw={480} align="flex-start">
        <p>{compareTexts.pick}</p>
        {(['left', 'right'] as const).map((side) => (
          <TextInput
            key={side}
            label={compareTexts.side[side]}
            value={ids[side]}
            error={ids[side] !== '' && !isSessionId(ids[side]) ? compareTexts.wrong : undefined}
            onChange={({ currentTarget: { value } }) => setIds((now) => ({ ...now, [side]: value.trim() }))}
          />
        ))}
        <Button type="submit" disabled={!isWhole}>
          {compareTexts.show}
        </Button>
      </Stack>
    </Paper>
  );
};

const Both = ({ left, right }: Required<CompareSearch>): ReactElement => {
  const { definitions } = useDefinitions();
  const found = useQueries({
    queries: [left, right].map((id) => ({
      queryKey: ['session', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => fetchSession(id, signal),
    })),
  });
  const failed = found.find(({ data, error }) => data === undefined && error !== null);
  const [one, other] = found.map(({ data }) => data);
  if (failed?.error)
    return (
      <Failure
        error={isFailure(failed.error, 404) ? new Error(sessionTexts.notFound) : failed.error}
        onAgain={() => void failed.refetch()}
      />
    );
  if (one === undefined || other === undefined) return <Skeleton height={400} />;
  return <Comparison sides={[one, other]} definitions={definitions} />;
};

/** Two sessions side by side: facts and outcomes, and each cycle with its decision, command and numbers. */
export const ComparePage = (): ReactElement => {
  const search = useSearch({ from: '/compare' });
  const { left, right } = search;
  useTitle(compareTexts.title);
  const isWhole = left !== undefined && right !== undefined;
  return (
    <Page>
      <Group gap="md" mb="sm">
        <h1>{compareTexts.title}</h1>
        {isWhole && (
          <Link to="/compare" search={{ left: right, right: left }}>
            <Group component="span" gap={4}>
              <IconArrowsExchange size={16} aria-hidden="true" /> {compareTexts.swap}
            </Group>
          </Link>
        )}
      </Group>
      {isWhole && left === right && <p role="status">{compareTexts.same}</p>}
      {isWhole ? <Both left={left} right={right} /> : <Ask search={search} />}
    </Page>
  );
};
