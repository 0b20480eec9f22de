import type { ReactElement } from 'react';
import { metricText, type MetricDefinitions } from '@fleet/session-report';
import { sparkPoints } from '../format/sparkline';
import css from './state.module.css';

const [width, height] = [56, 16];

/** A small plot of a metric; its values on hover and for screen readers. */
export const Sparkline = ({
  metric,
  values,
  definitions,
}: {
  readonly metric: string;
  readonly values: readonly number[];
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const label = values.map((value) => metricText(metric, value, definitions)).join(' → ');
  return (
    <svg
      className={css.spark}
      data-testid="spark"
      viewBox={`-2 -2 ${String(width + 4)} ${String(height + 4)}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <polyline points={sparkPoints(values, width, height)} />
    </svg>
  );
};
