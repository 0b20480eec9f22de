import { Button, Group, Paper, Stack, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState, type ReactElement } from 'react';
import type { TraceView } from '@fleet/contracts/results';
import type { SessionView } from '@fleet/contracts/sessions';
import { durationText, spentText } from '@fleet/session-report';
import { api } from '../../../api/calls';
import { useNow } from '../../../parts/time';
import { Pending } from '../../../parts/failure';
import { traceTexts } from '../../../texts/trace';
import { OperationDetails } from './operation-details';
import { spansOf, timeByKind, wholeSpan, type Span } from './time-axis';
import { TraceGrid } from './trace-grid';
import { openedAtFirst, parentOf, shownRows, traceTree, type TraceRow } from './trace-tree';
import css from './trace.module.css';

/** Polling interval in milliseconds: model requests change without a move of the session. */
const pollMs = 5_000;
/** Minimum length of the axis. */
const shortestAxisMs = 100;

interface TraceProps {
  readonly session: SessionView;
  readonly trace: TraceView;
}

const ancestorsOf = (path: string | undefined): readonly string[] => {
  const parent = path === undefined ? undefined : parentOf(path);
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent)];
};

/** The open rows: the default, plus the user's changes; the row in the URL is never hidden. */
const useOpened = (rows: readonly TraceRow[], op: string | undefined) => {
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const first = useMemo(() => openedAtFirst(rows), [rows]);
  useEffect(
    () => setChanged((before) => new Map([...before, ...ancestorsOf(op).map((path) => [path, true] as const)])),
    [op],
  );
  return {
    isOpen: (path: string): boolean => changed.get(path) ?? first.has(path),
    open: (path: string, open: boolean): void => setChanged((before) => new Map([...before, [path, open]])),
    all: (open: boolean): void =>
      setChanged(new Map(rows.filter(({ hasParts }) => hasParts).map(({ operation }) => [operation.path, open]))),
  };
};

/** Totals by kind, which also explain the colours. */
const Sums = ({
  trace,
  rows,
  spans,
}: {
  readonly trace: TraceView;
  readonly rows: readonly TraceRow[];
  readonly spans: ReadonlyMap<string, Span>;
}): ReactElement => {
  const sums = timeByKind(rows, spans);
  return (
    <Group component="ul" gap="4px 20px">
      {(['program', 'wait', 'request', 'analysis'] as const).map((kind) => {
        const ms = sums.get(kind);
        return ms === undefined || ms === 0 ? null : (
          <Group component="li" gap={7} key={kind}>
            <span className={css.swatch} data-kind={kind} aria-hidden="true" />
            {traceTexts.spentOn(traceTexts.kinds[kind], durationText(ms))}
          </Group>
        );
      })}
      {trace.spent.requests > 0 && <li className="quiet">{spentText(trace.spent)}</li>}
    </Group>
  );
};

const Tools = ({
  id,
  op,
  count,
  zoom,
  onAll,
}: {
  readonly id: string;
  readonly op: string | undefined;
  readonly count: number;
  readonly zoom: string | undefined;
  readonly onAll: (open: boolean) => void;
}): ReactElement => (
  <Group gap="xs">
    {([true, false] as const).map((open) => (
      <Button key={String(open)} size="compact-sm" variant="default" onClick={() => onAll(open)}>
        {open ? traceTexts.openAll : traceTexts.closeAll}
      </Button>
    ))}
    <span className="quiet small">{traceTexts.count(count)}</span>
    {zoom !== undefined && (
      <span className="small">
        {traceTexts.zoomed(zoom)}{' '}
        <Link
          to="/sessions/$id"
          params={{ id }}
          search={{ view: 'trace', ...(op !== undefined && { op }) }}
          resetScroll={false}
        >
          {traceTexts.whole}
        </Link>
      </span>
    )}
  </Group>
);

const Shown = ({ session, trace }: TraceProps): ReactElement => {
  const { op, zoom } = useSearch({ from: '/sessions/$id' });
  const navigate = useNavigate();
  const isOver = trace.endedAt !== undefined;
  const now = useNow(isOver ? 3_600_000 : 1_000);
  const rows = useMemo(() => traceTree(trace.operations), [trace.operations]);
  const spans = useMemo(() => spansOf(rows, now), [rows, now]);
  const opened = useOpened(rows, op);
  const zoomed = zoom === undefined ? undefined : spans.get(zoom);
  const axis = useMemo(() => {
    const shown = zoomed ?? wholeSpan(trace, spans, now);
    return {
      shown: { from: shown.from, to: Math.max(shown.to, shown.from + shortestAxisMs) },
      origin: Date.parse(trace.startedAt),
    };
  }, [trace, spans, zoomed, now]);
  const row = rows.find(({ operation }) => operation.path === op);
  const choose = (path: string): void => {
    const search = { view: 'trace', op: path, ...(zoom !== undefined && { zoom }) } as const;
    void navigate({ to: '/sessions/$id', params: { id: session.id }, search, resetScroll: false });
  };
  return (
    <>
      <Sums trace={trace} rows={rows} spans={spans} />
      <Tools
        id={session.id}
        op={op}
        count={rows.length}
        zoom={zoomed === undefined ? undefined : zoom}
        onAll={opened.all}
      />
      <TraceGrid
        id={session.id}
        rows={shownRows(rows, opened.isOpen)}
        spans={spans}
        axis={axis}
        chosen={op}
        isOpen={opened.isOpen}
        onOpen={opened.open}
        onChoose={choose}
      />
      <p className="quiet small">{traceTexts.how}</p>
      {op !== undefined && row === undefined && <p className="quiet">{traceTexts.unknown(op)}</p>}
      {row !== undefined && (
        <OperationDetails
          session={session}
          rows={rows}
          row={row}
          span={spans.get(row.operation.path)}
          isZoomed={zoom === row.operation.path}
        />
      )}
    </>
  );
};

/** A session's operations, and the sums of its time and tokens. */
export const TracePanel = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { id } = session;
  const traceQuery = useQuery({
    queryKey: ['session', id, 'trace'],
    queryFn: ({ signal }) => api.json('GET /v1/sessions/{id}/trace', { path: { id } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.operations.some(({ status }) => status === 'open') === true ? pollMs : false,
  });
  const { data } = traceQuery;
  if (data === undefined) return <Pending query={traceQuery} height={400} />;
  return (
    <Stack gap={10}>
      <VisuallyHidden component="h2">{traceTexts.title}</VisuallyHidden>
      {data.operations.length === 0 ? (
        <Paper component="p" p={40} ta="center" c="dimmed">
          {traceTexts.none}
        </Paper>
      ) : (
        <Shown session={session} trace={data} />
      )}
    </Stack>
  );
};
