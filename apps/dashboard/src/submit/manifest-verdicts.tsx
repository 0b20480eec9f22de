import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { BatchRow, BatchView } from '@fleet/contracts';
import { fileUseText, plainLine } from '@fleet/session-report';
import { rowKindOf } from '../batches/row-kinds';
import { fetchBatchRows } from '../api/calls';
import { Failure } from '../shell/failure';
import { Listing } from '../shell/listing';
import { SessionState } from '../state/session-state';
import { submitTexts } from '../texts-submit';

const words = submitTexts.manifest;

/** Rows that are shown; of many those that are wrong come first. */
const mostShown = 500;

const Says = ({ row: { problems = [], unused = [], first, earlier } }: { readonly row: BatchRow }): ReactElement => (
  <>
    {earlier !== undefined && (
      <p className="quiet small">
        {words.earlier[earlier.same]}{' '}
        <Link to="/sessions/$id" params={{ id: earlier.session }} search={{}}>
          {earlier.session}
        </Link>
      </p>
    )}
    {problems.map(({ field, reason }) => (
      <p key={`${field} ${reason}`} className="mark-failed">
        <span className="mono">{field}</span> {plainLine(reason)}
      </p>
    ))}
    {unused.map((use) => (
      <p key={use.path} className="finding finding-warning small">
        {fileUseText(use)}
      </p>
    ))}
    {first?.command !== undefined && <span className="mono">{plainLine(first.command)}</span>}
    {first?.stop !== undefined && <span>{plainLine(first.stop)}</span>}
  </>
);

const inOrder = (rows: readonly BatchRow[]): readonly BatchRow[] => {
  const rank = ({ verdict }: BatchRow): number => (verdict === 'rejected' ? 0 : 1);
  return [...rows].sort((one, other) => rank(one) - rank(other) || one.row - other.row).slice(0, mostShown);
};

const Verdict = ({
  row,
  onLine,
}: {
  readonly row: BatchRow;
  readonly onLine: (line: number) => void;
}): ReactElement => (
  <tr data-verdict={row.verdict}>
    <td className="number">{row.row}</td>
    <td>
      <button
        type="button"
        className="plain-button"
        aria-label={words.toLine(row.line)}
        onClick={() => {
          onLine(row.line);
        }}
      >
        {row.line}
      </button>
    </td>
    <td>
      <SessionState kind={rowKindOf({ verdict: row.verdict })} />
    </td>
    <td className="says">
      <Says row={row} />
    </td>
  </tr>
);

/** What would become of each row; a click on its line goes there. */
export const ManifestVerdicts = ({
  batch,
  onLine,
}: {
  readonly batch: BatchView;
  readonly onLine: (line: number) => void;
}): ReactElement => {
  const { id, verdicts, rows: count } = batch;
  const rows = useQuery({
    queryKey: ['batch-rows', id, JSON.stringify(verdicts)],
    queryFn: ({ signal }) => fetchBatchRows(id, signal),
    placeholderData: keepPreviousData,
  });
  if (count === 0) return <p className="empty">{words.none}</p>;
  return (
    <section className="panel" data-testid="verdicts">
      <p aria-live="polite" className="verdict-count">
        {verdicts.waiting > 0
          ? words.checking(count - verdicts.waiting, count)
          : words.checked(verdicts.checked, verdicts.rejected)}
      </p>
      {rows.error !== null && <Failure error={rows.error} onAgain={() => void rows.refetch()} />}
      <Listing className="verdicts" columns={Object.values(words.columns)}>
        {inOrder(rows.data ?? []).map((row) => (
          <Verdict key={row.row} row={row} onLine={onLine} />
        ))}
      </Listing>
    </section>
  );
};
