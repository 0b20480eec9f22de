import { Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { AdminView } from '@fleet/contracts/launches';
import type { SessionPage } from '@fleet/contracts/sessions';
import { plainLine } from '@fleet/session-report';
import { Ago } from '../../parts/time';
import { Listing } from '../../parts/listing';
import { operationsTexts } from '../../texts/operations';
import { loadByProposal, type Load } from './load-by-proposal';

const words = operationsTexts.now;

const LoadRow = ({ load: { proposal, running, waiting, longest } }: { readonly load: Load }): ReactElement => (
  <Table.Tr data-proposal={proposal}>
    <Table.Td>
      <Link to="/sessions" search={{ proposal, status: 'running' }}>
        {plainLine(proposal)}
      </Link>
    </Table.Td>
    <Table.Td className="number">{running}</Table.Td>
    <Table.Td className="number">{waiting}</Table.Td>
    <Table.Td>
      {longest !== undefined && (
        <>
          <Link to="/sessions/$id" params={{ id: longest.id }} search={{}}>
            {plainLine(longest.title) || longest.id}
          </Link>
          <span className="quiet small">{plainLine(longest.waiting ?? '')}</span>
        </>
      )}
    </Table.Td>
  </Table.Tr>
);

/** Running and waiting sessions: in total, by nodes, and by proposal. */
export const NowPanel = ({
  status,
  running,
}: {
  readonly status: AdminView;
  readonly running: SessionPage;
}): ReactElement => {
  const loads = loadByProposal(status, running.sessions);
  const classes = Object.entries(status.runsByClass);
  return (
    <>
      <p>
        <b>{words.runs(status.runs)}</b>
        {classes.length > 0 && (
          <span className="quiet"> ({classes.map(([name, runs]) => `${name} ${String(runs)}`).join(', ')})</span>
        )}
        , <b>{words.waits(status.waiting)}</b>
        {status.oldestWaitingSince !== undefined && (
          <span className="quiet">
            , {words.oldest} <Ago at={status.oldestWaitingSince} />
          </span>
        )}
        .
      </p>
      {loads.length === 0 ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <Listing columns={[words.proposal, words.running, words.waiting, words.longest]}>
          {loads.map((load) => (
            <LoadRow key={load.proposal} load={load} />
          ))}
        </Listing>
      )}
      {running.nextCursor !== undefined && <p className="quiet small">{words.first(running.sessions.length)}</p>}
    </>
  );
};
