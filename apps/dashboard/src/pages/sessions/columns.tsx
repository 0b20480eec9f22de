import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { ReactElement } from 'react';
import { isEnded, shortName, type SessionRow } from '@fleet/contracts/sessions';
import { plainLine, queueStatusText } from '@fleet/session-report';
import { runtimeText, timeText } from '../../format/times';
import { Ago, useNow } from '../../parts/time';
import { useDefinitions } from '../../parts/use-definitions';
import { FitValue } from '../../state/fit-value';
import { ForkMark } from '../../state/fork-mark';
import { SessionState } from '../../state/session-state';
import { Sparkline } from '../../state/sparkline';
import { stateOf } from '../../format/state-of';
import { listTexts } from '../../texts/sessions';
import { stageTexts } from '../../texts/states';
import { PageMark, RowMark } from './selection';
import css from './sessions.module.css';

const Named = ({ row }: { readonly row: SessionRow }): ReactElement => (
  <>
    <Link to="/sessions/$id" params={{ id: row.id }} search={{}}>
      {plainLine(row.title) || row.id}
    </Link>
    <span className="quiet small">
      {[row.proposal, row.beamline].filter((text) => text !== '').join(' · ')}
      {row.submitter !== '' && ` · ${listTexts.by(plainLine(row.submitter))}`}
      {row.forkedFrom !== undefined && (
        <>
          {' · '}
          <ForkMark of={row.forkedFrom} />
        </>
      )}
    </span>
  </>
);

/** Why its program has not started, and its queue position; in full on hover. */
const Waiting = ({ row, reason }: { readonly row: SessionRow; readonly reason: string }): ReactElement => {
  const now = useNow(5000);
  const { queueStatus } = row;
  if (queueStatus === undefined)
    return (
      <Text component="span" className={css.reason} fz="xs" title={plainLine(reason)}>
        {plainLine(reason)}
      </Text>
    );
  return (
    <Text component="span" className={css.reason} fz="xs" title={plainLine(queueStatusText(queueStatus, now))}>
      <b>
        {queueStatus.position} / {queueStatus.of}
      </b>{' '}
      {plainLine(queueStatus.reason)}
    </Text>
  );
};

/** The last program, and the session's current activity. */
const Program = ({ row }: { readonly row: SessionRow }): ReactElement => {
  const isRunning = row.status === 'running';
  return (
    <>
      {row.program === undefined ? '' : shortName(row.program)}
      {isRunning && row.waiting === undefined && (
        <span className="quiet small">{stageTexts[row.stage] ?? row.stage}</span>
      )}
      {isRunning && row.waiting !== undefined && <Waiting row={row} reason={row.waiting} />}
    </>
  );
};

const Runtime = ({ row }: { readonly row: SessionRow }): ReactElement => {
  const now = useNow(1000);
  return <span title={timeText(row.createdAt)}>{runtimeText(row.createdAt, row.endedAt, now)}</span>;
};

const Fit = ({ row: { fit, fits, status } }: { readonly row: SessionRow }): ReactElement => {
  const { definitions } = useDefinitions();
  if (fit === undefined) return <span className="quiet small">{listTexts.noFit(isEnded(status))}</span>;
  return (
    <Group component="span" gap={10} wrap="nowrap">
      {fits !== undefined && <Sparkline metric={fit.metric} values={fits} definitions={definitions} />}
      <FitValue fit={fit} definitions={definitions} />
    </Group>
  );
};

export const features = tableFeatures({});
const column = createColumnHelper<typeof features, SessionRow>();

/**
 * What a list shows of each session. Other columns make new cells and headers, in which the keyboard focus is lost: they depend
 * on nothing that arrives later.
 * @param mayMark whether rows can be marked, to do something to all of them
 */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the columns' own types carry those of their cells
export const columnsOf = (mayMark: boolean) =>
  column.columns([
    ...(mayMark
      ? [
          column.display({
            id: 'mark',
            header: ({ table }) => <PageMark rows={table.getRowModel().rows.map((row) => row.original)} />,
            cell: ({ row }) => <RowMark row={row.original} />,
          }),
        ]
      : []),
    column.display({
      id: 'state',
      header: listTexts.columns.state,
      cell: ({ row }) => <SessionState kind={stateOf(row.original)} />,
    }),
    column.display({ id: 'title', header: listTexts.columns.title, cell: ({ row }) => <Named row={row.original} /> }),
    column.display({
      id: 'cycle',
      header: listTexts.columns.cycle,
      cell: ({ row: { original } }) => (
        <>
          {original.cycle}
          {original.maxCycles !== undefined && <span className="quiet"> / {original.maxCycles}</span>}
        </>
      ),
    }),
    column.display({
      id: 'program',
      header: listTexts.columns.program,
      cell: ({ row }) => <Program row={row.original} />,
    }),
    column.accessor((row) => row.resolution?.toFixed(2) ?? '', {
      id: 'resolution',
      header: listTexts.columns.resolution,
    }),
    column.accessor((row) => row.spaceGroup ?? '', { id: 'spaceGroup', header: listTexts.columns.spaceGroup }),
    column.display({
      id: 'fit',
      header: listTexts.columns.fit,
      cell: ({ row }) => <Fit row={row.original} />,
    }),
    column.display({
      id: 'runtime',
      header: listTexts.columns.runtime,
      cell: ({ row }) => <Runtime row={row.original} />,
    }),
    column.display({
      id: 'updated',
      header: listTexts.columns.updated,
      cell: ({ row }) => <Ago at={row.original.updatedAt} />,
    }),
  ]);
