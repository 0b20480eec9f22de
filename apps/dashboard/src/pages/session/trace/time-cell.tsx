import { VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Operation } from '@fleet/contracts/results';
import { durationText } from '@fleet/session-report';
import { timeText } from '../../../format/times';
import { traceTexts } from '../../../texts/trace';
import { barOf, ticksOf, type Span } from './time-axis';
import css from './trace.module.css';

const mostTicks = 6;

/** The common axis of all bars, and its origin. */
export interface Axis {
  readonly shown: Span;
  readonly origin: number;
}

/** Times above the bars. */
export const Ticks = ({ axis: { shown, origin } }: { readonly axis: Axis }): ReactElement => (
  <span className={css.ticks} aria-hidden="true">
    {ticksOf(shown, origin, mostTicks).map(({ left, text }) => (
      <span key={left} className={css.tick} style={{ left: `${left.toFixed(2)}%` }}>
        {text}
      </span>
    ))}
  </span>
);

/** A bar on the common axis, with its text. */
export const TimeBar = ({
  operation: { kind, status },
  span,
  axis: { shown, origin },
}: {
  readonly operation: Operation;
  readonly span: Span | undefined;
  readonly axis: Axis;
}): ReactElement => {
  const bar = span === undefined ? undefined : barOf(span, shown);
  const words = span === undefined ? traceTexts.unknownTime : traceTexts.bar(timeText(span.from), tookText(span));
  return (
    <span className={css.timeFrame} title={words}>
      <VisuallyHidden component="span">{words}</VisuallyHidden>
      {ticksOf(shown, origin, mostTicks).map(({ left }) => (
        <span key={left} className={css.line} style={{ left: `${left.toFixed(2)}%` }} />
      ))}
      {typeof bar === 'string' && (
        <span className={css.beyond} data-beyond={bar}>
          {bar === 'before' ? '‹' : '›'}
          <VisuallyHidden component="span">{traceTexts[bar]}</VisuallyHidden>
        </span>
      )}
      {typeof bar === 'object' && (
        <span
          className={css.bar}
          data-testid="trace-bar"
          data-kind={kind}
          data-status={status}
          style={{ left: `${bar.left.toFixed(3)}%`, width: `${bar.width.toFixed(3)}%` }}
        />
      )}
    </span>
  );
};

/** Empty without a recorded duration. */
export const tookText = (span: Span | undefined): string =>
  span === undefined || span.to === span.from ? '' : durationText(span.to - span.from);
