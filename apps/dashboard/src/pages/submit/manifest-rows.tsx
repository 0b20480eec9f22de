import { Anchor, Paper, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { BatchRow, BatchView } from '@fleet/contracts/batches';
import { fileUseText, plainLine } from '@fleet/session-report';
import { rowKindOf } from '../../format/row-kinds';
import { fetchBatchRows } from '../../api/calls';
import { Failure } from '../../parts/failure';
import { Listing } from '../../parts/listing';
import { SessionState } from '../../state/session-state';
import { submitTexts } from '../../texts/submit';
import { Note } from '../../parts/note';

const words = submitTexts.manifest;

/** Maximum rows shown; rejected ones come first. */
const mostShown = 500;

const Findings = ({
  row: { problems = [], unused = [], first, earlier },
}: {
  readonly row: BatchRow;
}): ReactElement => (
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
      <Text key={`${field} ${reason}`} c="red">
        <span className="mono">{field}</span> {plainLine(reason)}
      </Text>
    ))}
    {unused.map((use) => (
      <Note component="p" key={use.path} className="small" color="yellow">
        {fileUseText(use)}
      </Note>
    ))}
    {first?.command !== undefined && <span className="mono">{plainLine(first.command)}</span>}
    {first?.stop !== undefined && <span>{plainLine(first.stop)}</span>}
  </>
);

const inOrder = (rows: readonly BatchRow[]): readonly BatchRow[] => {
  const rank = ({ state }: BatchRow): number => (state === 'rejected' ? 0 : 1);
  return [...rows].sort((one, other) => rank(one) - rank(other) || one.row - other.row).slice(0, mostShown);
};

const Verdict = ({
  row,
  onLine,
}: {
  readonly row: BatchRow;
  readonly onLine: (line: number) => void;
}): ReactElement => (
  <Table.Tr data-state={row.state}>
    <Table.Td className="number">{row.row}</Table.Td>
    <Table.Td>
      <Anchor
        component="button"
        type="button"

        aria-label={words.toLine(row.line)}
        onClick={() => onLine(row.line)}
      >
        {row.line}
      </Anchor>
    </Table.Td>
    <Table.Td>
      <SessionState kind={rowKindOf({ state: row.state })} />
    </Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Findings row={row} />
    </Table.Td>
  </Table.Tr>
);

/** The preview of each row; a click on its line goes there. */
export const ManifestRows = ({
  batch,
  onLine,
}: {
  readonly batch: BatchView;
  readonly onLine: (line: number) => void;
}): ReactElement => {
  const { id, states, rows: count } = batch;
  const rows = useQuery({
    queryKey: ['batch-rows', id, JSON.stringify(states)],
    queryFn: ({ signal }) => fetchBatchRows(id, signal),
    placeholderData: keepPreviousData,
  });
  if (count === 0)
    return (
      <Paper component="p" p={40} ta="center" c="dimmed">
        {words.none}
      </Paper>
    );
  return (
    <Paper component="section" data-testid="states">
      <Text aria-live="polite" mb="xs">
        {states.waiting > 0
          ? words.checking(count - states.waiting, count)
          : words.checked(states.checked, states.rejected)}
      </Text>
      {rows.error !== null && <Failure error={rows.error} onAgain={() => void rows.refetch()} />}
      <Listing columns={Object.values(words.columns)}>
        {inOrder(rows.data ?? []).map((row) => (
          <Verdict key={row.row} row={row} onLine={onLine} />
        ))}
      </Listing>
    </Paper>
  );
};
