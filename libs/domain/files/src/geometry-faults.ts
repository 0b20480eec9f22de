import { bandAt } from '@fleet/contracts/results';
import { type CycleRecord, metricValue, type SessionFile } from '@fleet/contracts/sessions';
import type { GeometryRule, MetricDefinition, RuleBook } from '@fleet/knowledge-model';
import { lineageOf } from './lineage';
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
  /** The best model; a submitted one has no deterioration. */
  readonly model: SessionFile | undefined;
  /** All models of the session. */
  readonly members: readonly SessionFile[];
  readonly cycles: readonly CycleRecord[];
  /** The cycle that placed the model, 0 for none: earlier refinements are of another model. */
  readonly placedAt: number;
  /** Å */
  readonly resolution: number | undefined;
}

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

/**
 * Metrics of the best model's geometry that are worse than both acceptable and their initial value, by more than the tolerance; without an
 * initial value those beyond poor. See knowledge/metrics.yaml, `geometry`.
 */
export const geometryFaults = (
  { model, members, cycles, placedAt, resolution }: GeometryInput,
  { geometry, metrics }: Pick<RuleBook, 'geometry' | 'metrics'>,
): readonly GeometryFault[] => {
  if (model === undefined || model.cycle === 0) return [];
  const lineage = lineageOf(members, cycles);
  const later = succeededCycles({ cycles }).filter(({ cycle }) => cycle > placedAt && cycle <= model.cycle);
  return geometry.metrics.flatMap((rule) => {
    const value = lineage.measured(model, rule.metric);
    const definition = metrics[rule.metric];
    if (value === undefined || definition === undefined) return [];
    const start = later.map(({ result }) => metricValue(result, rule.at_start)).find((one) => one !== undefined);
    return faultOf({ rule, value, start }, definition, resolution);
  });
};
