import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { AdminView, SessionPage } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { Ago } from '../format/time';
import { Listing } from '../shell/listing';
import { operationsTexts } from '../texts-operations';
import { loadByProposal, type Load } from './load-by-proposal';

const words = operationsTexts.now;

const LoadRow = ({ load: { proposal, running, waiting, longest } }: { readonly load: Load }): ReactElement => (
  <tr data-proposal={proposal}>
    <td>
      <Link to="/sessions" search={{ proposal, status: 'running' }}>
        {plainLine(proposal)}
      </Link>
    </td>
    <td className="number">{running}</td>
    <td className="number">{waiting}</td>
    <td>
      {longest !== undefined && (
        <>
          <Link to="/sessions/$id" params={{ id: longest.id }} search={{}}>
            {plainLine(longest.title) || longest.id}
          </Link>
          <span className="quiet small">{plainLine(longest.waiting ?? '')}</span>
        </>
      )}
    </td>
  </tr>
);

/** What runs and what waits: in all, on which nodes, and of which proposal. */
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
