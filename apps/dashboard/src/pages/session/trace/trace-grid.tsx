import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { traceTexts } from '../../../texts/trace';
import type { Span } from './time-axis';
import { Ticks, type Axis } from './time-cell';
import { movedTo } from './trace-keys';
import { TraceRowView } from './trace-row';
import type { TraceRow } from './trace-tree';
import css from './trace.module.css';

interface Gridded {
  readonly id: string;
  readonly rows: readonly TraceRow[];
  readonly spans: ReadonlyMap<string, Span>;
  readonly axis: Axis;
  readonly chosen: string | undefined;
  readonly isOpen: (path: string) => boolean;
  readonly onOpen: (path: string, open: boolean) => void;
  readonly onChoose: (path: string) => void;
}

/** Pixels; must equal the heights of `.row` and `.head`, which stays above the rows, in trace.module.css. */
const rowHeight = 44;
const headHeight = 34;

/** The row with the focus stays rendered even when it is scrolled out of view, or the focus would be lost. */
const useRows = ({ rows, chosen }: Pick<Gridded, 'rows' | 'chosen'>) => {
  const frame = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(chosen);
  const at = Math.max(
    0,
    rows.findIndex(({ operation }) => operation.path === current),
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), at])].toSorted((a, b) => a - b),
  });
  const chosenAt = rows.findIndex(({ operation }) => operation.path === chosen);
  useEffect(() => {
    setCurrent(chosen);
    if (chosenAt >= 0) virtual.scrollToIndex(chosenAt, { align: 'auto' });
    // Rows that appear or disappear meanwhile cause no scrolling.
  }, [chosen, chosenAt >= 0]);
  const focus = (index: number): void => {
    const path = rows[index]?.operation.path;
    if (path === undefined) return;
    setCurrent(path);
    virtual.scrollToIndex(index, { align: 'auto' });
    requestAnimationFrame(() => {
      frame.current?.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus({ preventScroll: true });
    });
  };
  return { frame, at, virtual, focus };
};

const Head = ({ axis }: Pick<Gridded, 'axis'>): ReactElement => (
  <div role="row" className={css.head} aria-rowindex={1}>
    <span role="columnheader">{traceTexts.columns.operation}</span>
    <span role="columnheader" className={css.time}>
      <VisuallyHidden component="span">{traceTexts.columns.time}</VisuallyHidden>
      <Ticks axis={axis} />
    </span>
    <span role="columnheader" className={css.took}>
      {traceTexts.columns.took}
    </span>
    <span role="columnheader" className={css.used}>
      {traceTexts.columns.used}
    </span>
  </div>
);

/** The operations as a tree beside their bars; renders only the visible rows of a long session. */
export const TraceGrid = (gridded: Gridded): ReactElement => {
  const { id, rows, spans, axis, chosen, isOpen, onOpen, onChoose } = gridded;
  const { frame, at, virtual, focus } = useRows(gridded);
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    // Links in a row handle their own keys.
    if (!(event.target instanceof HTMLElement) || event.target.dataset['path'] === undefined) return;
    const move = movedTo(event.key, rows, at, isOpen);
    if (move === undefined) return;
    event.preventDefault();
    if ('focus' in move) focus(move.focus);
    else if ('choose' in move) onChoose(move.choose);
    else onOpen(move.path, move.open);
  };
  return (
    <div
      ref={frame}
      className={css.frame}
      role="treegrid"
      aria-label={traceTexts.grid}
      aria-rowcount={rows.length + 1}
      data-testid="trace"
      onKeyDown={onKey}
    >
      <Head axis={axis} />
      <div role="rowgroup" className={css.all} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { path } = row.operation;
          return (
            <TraceRowView
              key={path}
              id={id}
              row={row}
              span={spans.get(path)}
              axis={axis}
              index={index + 1}
              start={start - headHeight}
              isOpen={isOpen(path)}
              isChosen={path === chosen}
              isCurrent={index === at}
              onOpen={onOpen}
              onChoose={onChoose}
            />
          );
        })}
      </div>
    </div>
  );
};
