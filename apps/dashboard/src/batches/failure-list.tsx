import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { plainLine, plainLines } from '@fleet/session-report';
import { SessionState } from '../state/session-state';
import { batchTexts } from '../texts-batches';
import type { FailureGroup } from './failure-groups';

/** Datasets that a group names; the others are in the hit list. */
const mostNamed = 12;

const Group = ({ group: { sentence, kind, results } }: { readonly group: FailureGroup }): ReactElement => (
  <li className="failure" data-testid="failure">
    <div className="failure-head">
      <SessionState kind={kind} /> <b>{batchTexts.failures.rows(results.length)}</b>
    </div>
    <p>{plainLines(sentence)}</p>
    <p className="small failure-names">
      {results.slice(0, mostNamed).map(({ row, session }) =>
        session === undefined ? (
          <span key={row} className="quiet">
            {batchTexts.failures.row(row)}
          </span>
        ) : (
          <Link key={row} to="/sessions/$id" params={{ id: session.id }} search={{}}>
            {plainLine(session.title) || batchTexts.failures.row(row)}
          </Link>
        ),
      )}
      {results.length > mostNamed && (
        <span className="quiet">{batchTexts.failures.more(results.length - mostNamed)}</span>
      )}
    </p>
  </li>
);

/** What failed, by why, the most frequent first. */
export const FailureList = ({ groups }: { readonly groups: readonly FailureGroup[] }): ReactElement =>
  groups.length === 0 ? (
    <p className="empty">{batchTexts.failures.none}</p>
  ) : (
    <ul className="failures">
      {groups.map((group) => (
        <Group key={`${group.kind} ${group.sentence}`} group={group} />
      ))}
    </ul>
  );
