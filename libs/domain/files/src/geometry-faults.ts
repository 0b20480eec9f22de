import { bandAt } from '@fleet/contracts/results';
import { type CycleRecord, metricValue, type SessionFile } from '@fleet/contracts/sessions';
import type { GeometryRule, MetricDefinition, RuleBook } from '@fleet/knowledge-model';
import { lineageOf } from './lineage';
import { succeededCycles } from './session-files';

/** A number of the best model's geometry that stands against it. */
export interface GeometryFault {
  readonly metric: string;
  readonly value: number;
  /** Of the model where its refinement began; absent where no log says it. */
  readonly start?: number;
  /** What it may be at this resolution. */
  readonly limit: number;
}

export interface GeometryInput {
  /** The best model; of a submitted one nobody has made the geometry worse. */
  readonly model: SessionFile | undefined;
  /** All models of the session. */
  readonly members: readonly SessionFile[];
  readonly cycles: readonly CycleRecord[];
  /** The cycle that put the model into its place, 0 for none: what was refined before it is another model. */
  readonly placedAt: number;
  /** Å */
  readonly resolution: number | undefined;
}

/** How much further a value is from the better side than another one. */
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
 * What speaks against the geometry of the best model: what is worse than both acceptable and where its refinement began, by more than the
 * tolerance; where no log says how it began, what is beyond poor. See knowledge/metrics.yaml, `geometry`.
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
