import type { CycleRecord } from '@fleet/contracts/sessions';
import { geometryFaults, type GeometryFault, type Lineage } from '@fleet/files';
import type { FactSheet, RuleBook } from '@fleet/knowledge-model';
import { metricLabel, metricText } from '@fleet/session-report';
import type { FilesView } from '../workflow-input';

const textOf = ({ metric, value, start, limit }: GeometryFault, { metrics }: RuleBook): string => {
  const shown = (number: number): string => metricText(metric, number, metrics);
  const beside = start === undefined ? `poor beyond ${shown(limit)}` : `${shown(start)} where refinement began`;
  return `${metricLabel(metric, metrics)} ${shown(value)} (${beside})`;
};

/**
 * `geometry_worse` and `geometry_report`: how the geometry of the best model deteriorated. Needs the resolution.
 */
export const addGeometryFacts = (
  sheet: FactSheet,
  cycles: readonly CycleRecord[],
  { best }: FilesView,
  lineage: Lineage,
  ruleBook: RuleBook,
): void => {
  const resolution = typeof sheet.resolution === 'number' ? sheet.resolution : undefined;
  const faultsOf = geometryFaults({ lineage, cycles, resolution }, ruleBook);
  const faults = faultsOf(best.get('model')?.file);
  sheet.geometry_worse = faults.length > 0;
  if (faults.length > 0) sheet.geometry_report = faults.map((fault) => textOf(fault, ruleBook)).join(', ');
};
