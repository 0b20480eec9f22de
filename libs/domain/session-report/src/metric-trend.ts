import type { MetricDefinition } from '@fleet/knowledge-model';

export type TrendDirection = 'better' | 'worse' | 'unchanged';

export interface MetricTrend {
  /** Where the number went: up, down, or about the same. */
  readonly arrow: '↑' | '↓' | '→';
  readonly direction: TrendDirection;
  /** Current minus previous. */
  readonly change: number;
}

/**
 * Where a metric went since it was last measured, and whether that is good. A change below `significant` is none.
 * Undefined for metrics of which neither way is better.
 */
export const metricTrend = (
  previous: number,
  current: number,
  definition: Pick<MetricDefinition, 'better' | 'significant'>,
): MetricTrend | undefined => {
  if (definition.better === 'neither') return undefined;
  const change = current - previous;
  // A whole step of the threshold counts, whatever binary fractions make of it.
  if (Math.abs(change) + 1e-9 < (definition.significant ?? 0) || change === 0) {
    return { arrow: '→', direction: 'unchanged', change };
  }
  const better = definition.better === 'lower' ? change < 0 : change > 0;
  return { arrow: change > 0 ? '↑' : '↓', direction: better ? 'better' : 'worse', change };
};
