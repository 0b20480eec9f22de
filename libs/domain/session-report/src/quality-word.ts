import { bandAt } from '@fleet/contracts/results';
import type { MetricDefinition } from '@fleet/knowledge-model';

export type QualityWord = 'good' | 'acceptable' | 'needs improvement';

const reaches = (value: number, limit: number, better: MetricDefinition['better']): boolean =>
  better === 'lower' ? value <= limit : value >= limit;

/** What a value is worth at this resolution (Å); undefined where the metric has no bands. */
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
