import { metricValue, type CycleRecord } from '@fleet/contracts/sessions';
import { metricLabel, metricText, metricTrend, type MetricDefinitions } from '@fleet/session-report';

/** A number of a cycle, and its difference from the previous cycle that measured it. */
export interface MetricChange {
  readonly name: string;
  readonly text: string;
  readonly delta?: string;
  readonly direction?: string;
}

type Measured = Pick<CycleRecord, 'cycle' | 'result'>;

/** Metrics that represent a cycle in one line. */
const shown = ['r_work', 'r_free', 'map_cc', 'cc_mask', 'tfz', 'llg', 'resolution', 'clashscore'] as const;
const most = 3;

const signed = (delta: number, decimals: number): string => {
  const text = Math.abs(delta).toFixed(decimals);
  return `${delta < 0 ? '−' : '+'}${text}`;
};

/** @param cycles of the session, oldest first */
export const changesOf = (
  cycles: readonly Measured[],
  cycle: Measured,
  definitions: MetricDefinitions,
): readonly MetricChange[] =>
  shown
    .flatMap((name): readonly MetricChange[] => {
      const value = metricValue(cycle.result, name);
      if (value === undefined) return [];
      const text = `${metricLabel(name, definitions)} ${metricText(name, value, definitions)}`;
      const definition = definitions[name];
      const before = cycles
        .filter((other) => other.cycle < cycle.cycle)
        .map((other) => metricValue(other.result, name))
        .findLast((other) => other !== undefined);
      if (before === undefined || definition === undefined || before === value) return [{ name, text }];
      const direction = metricTrend(before, value, definition)?.direction ?? 'unchanged';
      return [{ name, text, delta: signed(value - before, definition.decimals), direction }];
    })
    .slice(0, most);
