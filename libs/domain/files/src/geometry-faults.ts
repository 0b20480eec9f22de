import { bandAt } from '@fleet/contracts/results';
import { type CycleRecord, metricValue, type SessionFile } from '@fleet/contracts/sessions';
import type { GeometryRule, MetricDefinition, RuleBook } from '@fleet/knowledge-model';
import type { Lineage } from './lineage';
import { succeededCycles } from './session-files';

/** A bad metric of the best model's geometry. */
export interface GeometryFault {
  readonly metric: string;
  readonly value: number;
  /** The value at the beginning of its refinement; absent if no log contains it. */
  readonly start?: number;
  /** The limit at this resolution. */
  readonly limit: number;
}

export interface GeometryInput {
  /** Of all models of the session. */
  readonly lineage: Lineage;
  readonly cycles: readonly CycleRecord[];
  /** Å */
  readonly resolution?: number | undefined;
}

/** The part of the rule book that says when a refinement has made the geometry worse. */
export type GeometryRules = Pick<RuleBook, 'geometry' | 'metrics' | 'workflows'>;

/** How much worse a value is than another one. */
const excess = (value: number, other: number, better: MetricDefinition['better']): number =>
  better === 'higher' ? other - value : value - other;

interface Measured {
  readonly rule: GeometryRule;
  readonly value: number;
  readonly start: number | undefined;
}

const faultOf = (
  { rule: { metric, tolerance, only_with_start }, value, start }: Measured,
  { bands = [], better }: MetricDefinition,
  resolution: number | undefined,
): readonly GeometryFault[] => {
  const band = bandAt(bands, resolution);
  if (band === undefined) return [];
  if (start !== undefined) {
    const isWorse = Math.min(excess(value, start, better), excess(value, band.acceptable, better)) > tolerance;
    return isWorse ? [{ metric, value, start, limit: band.acceptable }] : [];
  }
  return only_with_start !== true && excess(value, band.poor, better) > 0 ? [{ metric, value, limit: band.poor }] : [];
};

/** Metrics of a model's geometry that are beyond `acceptable`, however its refinement began. */
export const geometryOutside = (
  model: SessionFile | undefined,
  { lineage, resolution }: Omit<GeometryInput, 'cycles'>,
  { geometry, metrics }: GeometryRules,
): readonly GeometryFault[] =>
  geometry.metrics.flatMap(({ metric, only_with_start }) => {
    const { bands = [], better = 'neither' } = metrics[metric] ?? {};
    const value = model === undefined ? undefined : lineage.measured(model, metric);
    const limit = bandAt(bands, resolution)?.acceptable;
    if (value === undefined || limit === undefined || only_with_start === true) return [];
    return excess(value, limit, better) > 0 ? [{ metric, value, limit }] : [];
  });

type Starts = ReadonlyMap<string, number>;

/** By cycle, the geometry with which the first refinement since the last placement began: what was refined before is another model. */
const startsOf = (
  cycles: readonly CycleRecord[],
  { geometry, workflows }: GeometryRules,
): ReadonlyMap<number, Starts> => {
  const placing = new Set(Object.values(workflows).flatMap(({ placement }) => placement.programs));
  const starts = new Map<number, Starts>();
  let current: Starts = new Map();
  for (const { cycle, decision, result } of succeededCycles({ cycles })) {
    if (placing.has(decision.program)) current = new Map();
    const first = geometry.metrics.flatMap(({ at_start }): [string, number][] => {
      const value = current.has(at_start) ? undefined : metricValue(result, at_start);
      return value === undefined ? [] : [[at_start, value]];
    });
    if (first.length > 0) current = new Map([...current, ...first]);
    starts.set(cycle, current);
  }
  return starts;
};

/**
 * Metrics of a model's geometry that are worse than both acceptable and their initial value, by more than the tolerance; without an
 * initial value those beyond poor. Of a submitted model nothing has made the geometry worse. See
 * knowledge/metrics.yaml, `geometry`.
 */
export const geometryFaults = (
  { lineage, cycles, resolution }: GeometryInput,
  rules: GeometryRules,
): ((model: SessionFile | undefined) => readonly GeometryFault[]) => {
  const starts = startsOf(cycles, rules);
  return (model) => {
    if (model === undefined || model.cycle === 0) return [];
    return rules.geometry.metrics.flatMap((rule) => {
      const value = lineage.measured(model, rule.metric);
      const definition = rules.metrics[rule.metric];
      if (value === undefined || definition === undefined) return [];
      return faultOf({ rule, value, start: starts.get(model.cycle)?.get(rule.at_start) }, definition, resolution);
    });
  };
};
