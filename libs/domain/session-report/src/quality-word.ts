import { bandAt } from '@fleet/contracts/results';
import type { MetricDefinition } from '@fleet/knowledge-model';

export type QualityWord = 'good' | 'acceptable' | 'needs improvement';

const reaches = (value: number, limit: number, better: MetricDefinition['better']): boolean =>
  better === 'lower' ? value <= limit : value >= limit;

/** The rating of a value at this resolution (Å); undefined for metrics without bands. */
export const qualityWord = (
  value: number,
  definition: MetricDefinition,
  resolution: number | undefined,
): QualityWord | undefined => {
  const band = bandAt(definition.bands ?? [], resolution);
  if (band === undefined || definition.better === 'neither') return undefined;
  if (reaches(value, band.good, definition.better)) return 'good';
  return reaches(value, band.acceptable, definition.better) ? 'acceptable' : 'needs improvement';
};
