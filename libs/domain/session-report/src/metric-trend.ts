import type { MetricDefinition } from '@fleet/knowledge-model';

type TrendDirection = 'better' | 'worse' | 'unchanged';

export interface MetricTrend {
  /** Direction of the change: up, down, or about the same. */
  readonly arrow: '↑' | '↓' | '→';
  readonly direction: TrendDirection;
  /** Current minus previous. */
  readonly change: number;
}

/**
 * The change of a metric since its last measurement, and whether it is an improvement. A change below `significant` counts as none. Undefined
 * for metrics without a better direction.
 */
export const metricTrend = (
  previous: number,
  current: number,
  definition: Pick<MetricDefinition, 'better' | 'significant'>,
): MetricTrend | undefined => {
  if (definition.better === 'neither') return undefined;
  const change = current - previous;
  // A change of exactly the threshold counts, despite rounding errors.
  if (Math.abs(change) + 1e-9 < (definition.significant ?? 0) || change === 0) {
    return { arrow: '→', direction: 'unchanged', change };
  }
  const better = definition.better === 'lower' ? change < 0 : change > 0;
  return { arrow: change > 0 ? '↑' : '↓', direction: better ? 'better' : 'worse', change };
};
