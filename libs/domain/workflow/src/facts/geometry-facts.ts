import type { CycleRecord } from '@fleet/contracts/sessions';
import { geometryFaults, geometryOutside, type GeometryFault, type Lineage } from '@fleet/files';
import type { FactSheet, RuleBook } from '@fleet/knowledge-model';
import { metricLabel, metricText } from '@fleet/session-report';
import type { FilesView } from '../workflow-input';

type Beside = (fault: GeometryFault, shown: (value: number) => string) => string;

const howItBegan: Beside = ({ start, limit }, shown) =>
  start === undefined ? `poor beyond ${shown(limit)}` : `${shown(start)} where refinement began`;

const itsLimit: Beside = ({ limit }, shown) => `limit ${shown(limit)}`;

const textOf = (faults: readonly GeometryFault[], beside: Beside, { metrics }: RuleBook): string =>
  faults
    .map((fault) => {
      const shown = (value: number): string => metricText(fault.metric, value, metrics);
      return `${metricLabel(fault.metric, metrics)} ${shown(fault.value)} (${beside(fault, shown)})`;
    })
    .join(', ');

/**
 * `geometry_worse` and `geometry_report`: how the geometry of the best model deteriorated; `geometry_outside`: what of it is beyond
 * acceptable otherwise. Needs the resolution.
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
  const model = best.get('model')?.file;
  const faults = faultsOf(model);
  sheet.geometry_worse = faults.length > 0;
  if (faults.length > 0) sheet.geometry_report = textOf(faults, howItBegan, ruleBook);
  const outside = geometryOutside(model, { lineage, resolution }, ruleBook);
  if (outside.length > 0) sheet.geometry_outside = textOf(outside, itsLimit, ruleBook);
};
