import { bandAt } from '@fleet/contracts/results';
import type { SessionSettings } from '@fleet/contracts/service';
import type { CycleRecord } from '@fleet/contracts/sessions';
import type { MetricDefinitions } from '@fleet/session-report';

/** The data of a session's chart: one number per cycle for each metric, null without a measurement. */
export interface FitSeries {
  readonly cycles: readonly number[];
  readonly metrics: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  readonly target?: number;
}

type Measured = Pick<CycleRecord, 'cycle' | 'decision' | 'result'>;

const crystal = ['r_free', 'r_work'] as const;
const maps = ['map_cc', 'cc_mask'] as const;

const valueIn = ({ result }: Measured, name: string): number | null => {
  const value =
    result?.outcome === 'success' ? result.metrics.find((metric) => metric.name === name)?.value : undefined;
  return typeof value === 'number' ? value : null;
};

/**
 * Like the agent's: the setting, otherwise the acceptable value at this resolution (`addTarget` of
 * libs/domain/workflow).
 */
const targetOf = (name: string, { settings, resolution, definitions }: Goal): number | undefined => {
  const target = name === 'r_free' ? settings.r_free_target : settings.map_cc_target;
  if (target > 0) return target;
  return bandAt(definitions[name]?.bands ?? [], resolution)?.acceptable;
};

interface Goal {
  readonly settings: Pick<SessionSettings, 'r_free_target' | 'map_cc_target'>;
  readonly resolution: number | undefined;
  readonly definitions: MetricDefinitions;
}

/** R-free and R-work of a crystal, correlations of a map. Undefined: nothing was measured. */
export const fitSeries = (cycles: readonly Measured[], goal: Goal): FitSeries | undefined => {
  const names = cycles.at(-1)?.decision.experimentType === 'cryoem' ? maps : crystal;
  const metrics = names
    .map((name) => ({ name, values: cycles.map((cycle) => valueIn(cycle, name)) }))
    .filter(({ values }) => values.some((value) => value !== null));
  const [first] = metrics;
  if (first === undefined) return undefined;
  const target = targetOf(names === crystal ? 'r_free' : first.name, goal);
  return { cycles: cycles.map(({ cycle }) => cycle), metrics, ...(target !== undefined && { target }) };
};
