import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, type ReactElement } from 'react';
import type { Spent } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { traceTexts } from '../texts-trace';
import { KindIcon, StatusMark } from './operation-mark';
import { TimeBar, tookText, type Axis } from './time-cell';
import type { Span } from './time-axis';
import type { TraceRow } from './trace-tree';

export interface Rowed {
  readonly id: string;
  readonly row: TraceRow;
  readonly span: Span | undefined;
  readonly axis: Axis;
  /** Of all rows that are shown, from 1. */
  readonly index: number;
  readonly start: number;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  /** The one that Tab leads to. */
  readonly isCurrent: boolean;
  readonly onOpen: (path: string, open: boolean) => void;
  readonly onChoose: (path: string) => void;
}

const costText = ({ requests, cost, uncounted }: Spent): string =>
  uncounted === requests ? traceTexts.noCost : cost.toFixed(4);

const Used = ({ spent }: { readonly spent: Spent | undefined }): ReactElement =>
  spent === undefined || spent.requests === 0 ? (
    <></>
  ) : (
    <>
      {traceTexts.tokens(spent.inputTokens, spent.outputTokens)}
      <span className="quiet small trace-cost">{costText(spent)}</span>
    </>
  );

const Name = ({ id, row: { operation, hasParts }, isOpen, isCurrent, onOpen }: Rowed): ReactElement => {
  const { path, kind, what, note } = operation;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <span
        className="trace-toggle"
        onClick={(event) => {
          event.stopPropagation();
          onOpen(path, !isOpen);
        }}
      >
        {hasParts && <Chevron size={15} aria-hidden="true" />}
      </span>
      <StatusMark status={operation.status} />
      <KindIcon kind={kind} />
      <span className="trace-words">
        <span className="trace-what" title={plainLine(what)}>
          <Link
            to="/sessions/$id"
            params={{ id }}
            search={(before) => ({ ...before, view: 'trace', op: path })}
            className="trace-path"
            tabIndex={isCurrent ? 0 : -1}
            aria-label={traceTexts.link(path)}
            resetScroll={false}
          >
            {path}
          </Link>{' '}
          <span className="quiet">{traceTexts.kinds[kind]}</span> {plainLine(what)}
        </span>
        {note !== undefined && (
          <span className="trace-note quiet small" title={plainLine(note)}>
            {plainLine(note)}
          </span>
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
      className={`trace-row trace-level-${String(level)}`}
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
        // A link leads there by itself, or into another tab.
        if (!(target instanceof Element) || target.closest('a') === null) onChoose(operation.path);
      }}
    >
      <span role="gridcell" className="trace-name">
        <Name {...rowed} />
      </span>
      <span role="gridcell" className="trace-time">
        <TimeBar operation={operation} span={span} axis={axis} />
      </span>
      <span role="gridcell" className="trace-took number">
        {tookText(span)}
      </span>
      <span role="gridcell" className="trace-used number">
        <Used spent={operation.spent} />
      </span>
    </div>
  );
};

/** An operation: what it was, when, how long it took, and what it has used. It is not drawn again while others are scrolled into sight. */
export const TraceRowView = memo(Row);
