import '../styles/compare.css';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts';
import { plainLine, waitingReason, type MetricDefinitions } from '@fleet/session-report';
import { fetchMetrics, fetchSession, isFailure, serverNow } from '../api/calls';
import { Failure } from '../shell/failure';
import { useTitle } from '../shell/use-title';
import { SessionState } from '../state/session-state';
import { stateOf } from '../state/state-of';
import { texts } from '../texts';
import { compareTexts } from '../texts-compare';
import { comparedFacts, cyclePairs } from './compared';
import { isSessionId, type CompareSearch } from './compare-search';
import { CyclePair } from './cycle-pair';

type Sides = readonly [SessionView, SessionView];

const Head = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { status, stage, cycle, outcome } = session;
  const waiting = waitingReason(session);
  return (
    <th scope="col">
      <Link to="/sessions/$id" params={{ id: session.id }} search={{}}>
        {plainLine(session.request.title) || session.id}
      </Link>
      <span className="compare-state">
        <SessionState kind={stateOf({ status, stage, cycle, outcome: outcome?.word, waiting })} />
        {session.simulated && <span className="simulated">{texts.session.simulated}</span>}
      </span>
    </th>
  );
};

const Table = ({
  sides,
  definitions,
}: {
  readonly sides: Sides;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <div className="table-frame">
    <table className="compare" data-testid="compare">
      <thead>
        <tr>
          <td />
          {sides.map((session, at) => (
            <Head key={at} session={session} />
          ))}
        </tr>
      </thead>
      <tbody>
        {comparedFacts(sides, definitions, serverNow()).map(({ name, values, differs }) => (
          <tr key={name} data-differs={differs}>
            <th scope="row">{name}</th>
            {values.map((value, at) => (
              <td key={at}>{differs && value !== '' ? <mark>{value}</mark> : value}</td>
            ))}
          </tr>
        ))}
      </tbody>
      <tbody>
        <tr>
          <th scope="rowgroup" colSpan={3}>
            {texts.session.cycles} <span className="quiet small">{compareTexts.legend}</span>
          </th>
        </tr>
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
      </tbody>
    </table>
  </div>
);

/** Asks for the session that is missing. */
const Ask = ({ search }: { readonly search: CompareSearch }): ReactElement => {
  const navigate = useNavigate();
  const [ids, setIds] = useState({ left: search.left ?? '', right: search.right ?? '' });
  const isWhole = isSessionId(ids.left) && isSessionId(ids.right);
  return (
    <form
      className="panel compare-ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) void navigate({ to: '/compare', search: ids });
      }}
    >
      <p>{compareTexts.pick}</p>
      {(['left', 'right'] as const).map((side) => (
        <TextInput
          key={side}
          label={compareTexts.side[side]}
          value={ids[side]}
          error={ids[side] !== '' && !isSessionId(ids[side]) ? compareTexts.wrong : undefined}
          onChange={({ currentTarget: { value } }) => {
            setIds((now) => ({ ...now, [side]: value.trim() }));
          }}
        />
      ))}
      <Button type="submit" disabled={!isWhole}>
        {compareTexts.show}
      </Button>
    </form>
  );
};

const Both = ({ left, right }: Required<CompareSearch>): ReactElement => {
  const metrics = useQuery({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => fetchMetrics(signal),
    staleTime: Infinity,
  });
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
        error={isFailure(failed.error, 404) ? new Error(texts.session.notFound) : failed.error}
        onAgain={() => void failed.refetch()}
      />
    );
  if (one === undefined || other === undefined) return <Skeleton height={400} />;
  return <Table sides={[one, other]} definitions={metrics.data?.metrics ?? {}} />;
};

/** Two sessions side by side: what they are and came to, and each cycle with its decision, command and numbers. */
export const ComparePage = (): ReactElement => {
  const search = useSearch({ from: '/compare' });
  const { left, right } = search;
  useTitle(compareTexts.title);
  const isWhole = left !== undefined && right !== undefined;
  return (
    <div className="page">
      <div className="compare-head">
        <h1>{compareTexts.title}</h1>
        {isWhole && (
          <Link to="/compare" search={{ left: right, right: left }} className="compare-swap">
            <IconArrowsExchange size={16} aria-hidden="true" /> {compareTexts.swap}
          </Link>
        )}
      </div>
      {isWhole && left === right && <p role="status">{compareTexts.same}</p>}
      {isWhole ? <Both left={left} right={right} /> : <Ask search={search} />}
    </div>
  );
};
