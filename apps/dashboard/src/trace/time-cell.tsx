import type { ReactElement } from 'react';
import type { Operation } from '@fleet/contracts';
import { durationText } from '@fleet/session-report';
import { timeText } from '../format/times';
import { traceTexts } from '../texts-trace';
import { placeOf, ticksOf, type Span } from './time-axis';

const mostTicks = 6;

/** The axis of all bars, and what counts as 0 on it. */
export interface Axis {
  readonly shown: Span;
  readonly origin: number;
}

/** Times above the bars. */
export const Ticks = ({ axis: { shown, origin } }: { readonly axis: Axis }): ReactElement => (
  <span className="trace-ticks" aria-hidden="true">
    {ticksOf(shown, origin, mostTicks).map(({ left, text }) => (
      <span key={left} className="trace-tick" style={{ left: `${left.toFixed(2)}%` }}>
        {text}
      </span>
    ))}
  </span>
);

/** One bar on the axis of all, and the same in words. */
export const TimeBar = ({
  operation: { kind, status },
  span,
  axis: { shown, origin },
}: {
  readonly operation: Operation;
  readonly span: Span | undefined;
  readonly axis: Axis;
}): ReactElement => {
  const place = span === undefined ? undefined : placeOf(span, shown);
  const words = span === undefined ? traceTexts.unknownTime : traceTexts.bar(timeText(span.from), tookText(span));
  return (
    <span className="trace-time-frame" title={words}>
      <span className="hidden">{words}</span>
      {ticksOf(shown, origin, mostTicks).map(({ left }) => (
        <span key={left} className="trace-line" style={{ left: `${left.toFixed(2)}%` }} />
      ))}
      {typeof place === 'string' && (
        <span className={`trace-beyond trace-beyond-${place}`}>
          {place === 'before' ? '‹' : '›'}
          <span className="hidden">{traceTexts[place]}</span>
        </span>
      )}
      {typeof place === 'object' && (
        <span
          className={`trace-bar trace-bar-${kind} trace-bar-${status}`}
          style={{ left: `${place.left.toFixed(3)}%`, width: `${place.width.toFixed(3)}%` }}
        />
      )}
    </span>
  );
};

/** Empty for what took no time that was written down. */
export const tookText = (span: Span | undefined): string =>
  span === undefined || span.to === span.from ? '' : durationText(span.to - span.from);
