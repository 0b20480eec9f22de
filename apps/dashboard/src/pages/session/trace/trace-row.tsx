import { Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, type ReactElement } from 'react';
import type { Spent } from '@fleet/contracts/results';
import { plainLine } from '@fleet/session-report';
import { traceTexts } from '../../../texts/trace';
import { KindIcon, StatusMark } from './operation-mark';
import { TimeBar, tookText, type Axis } from './time-cell';
import type { Span } from './time-axis';
import type { TraceRow } from './trace-tree';
import css from './trace.module.css';

export interface Rowed {
  readonly id: string;
  readonly row: TraceRow;
  readonly span: Span | undefined;
  readonly axis: Axis;
  /** Among all visible rows, from 1. */
  readonly index: number;
  readonly start: number;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  /** The row that the Tab key reaches. */
  readonly isCurrent: boolean;
  readonly onOpen: (path: string, open: boolean) => void;
  readonly onChoose: (path: string) => void;
}

const costText = ({ requests, cost, unpriced }: Spent): string =>
  unpriced === requests ? traceTexts.noCost : cost.toFixed(4);

const Used = ({ spent }: { readonly spent: Spent | undefined }): ReactElement =>
  spent === undefined || spent.requests === 0 ? (
    <></>
  ) : (
    <>
      {traceTexts.tokens(spent.inputTokens, spent.outputTokens)}
      <Text component="span" className={css.cost} c="dimmed" fz="xs">
        {costText(spent)}
      </Text>
    </>
  );

const Name = ({ id, row: { operation, hasParts }, isOpen, isCurrent, onOpen }: Rowed): ReactElement => {
  const { path, kind, what, note } = operation;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <span
        className={css.toggle}
        onClick={(event) => {
          event.stopPropagation();
          onOpen(path, !isOpen);
        }}
      >
        {hasParts && <Chevron size={15} aria-hidden="true" />}
      </span>
      <StatusMark status={operation.status} />
      <KindIcon kind={kind} />
      <span className={css.words}>
        <span className={css.what} data-testid="trace-what" title={plainLine(what)}>
          <Link
            to="/sessions/$id"
            params={{ id }}
            search={(before) => ({ ...before, view: 'trace', op: path })}
            className={css.path}
            tabIndex={isCurrent ? 0 : -1}
            aria-label={traceTexts.link(path)}
            resetScroll={false}
          >
            {path}
          </Link>{' '}
          <span className="quiet">{traceTexts.kinds[kind]}</span> {plainLine(what)}
        </span>
        {note !== undefined && (
          <Text component="span" className={css.note} c="dimmed" fz="xs" title={plainLine(note)}>
            {plainLine(note)}
          </Text>
        )}
      </span>
    </>
  );
};

const Row = (rowed: Rowed): ReactElement => {
  const { row, span, axis, index, start, isOpen, isChosen, isCurrent, onChoose } = rowed;
  const { operation, level, position, siblings, hasParts } = row;
  return (
    <div
      role="row"
      className={css.row}
      data-path={operation.path}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-rowindex={index + 1}
      aria-selected={isChosen}
      {...(hasParts && { 'aria-expanded': isOpen })}
      tabIndex={isCurrent ? 0 : -1}
      style={{ transform: `translateY(${String(start)}px)` }}
      onClick={({ target }) => {
        // A link navigates by itself, or opens another tab.
        if (!(target instanceof Element) || target.closest('a') === null) onChoose(operation.path);
      }}
    >
      <span role="gridcell" className={css.name}>
        <Name {...rowed} />
      </span>
      <span role="gridcell" className={css.time}>
        <TimeBar operation={operation} span={span} axis={axis} />
      </span>
      <span role="gridcell" className={css.took}>
        {tookText(span)}
      </span>
      <span role="gridcell" className={css.used}>
        <Used spent={operation.spent} />
      </span>
    </div>
  );
};

/** An operation: its kind, time, duration and usage. Memoised, because others scroll into view. */
export const TraceRowView = memo(Row);
