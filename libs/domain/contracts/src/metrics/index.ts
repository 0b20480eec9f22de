export { describedMetrics, metricCatalogue, type LabelsOf, type MetricName, type MetricOf } from './metrics';
export {
  declaredLabels,
  otherValue,
  type BacklogState,
  type DeclaredLabel,
  type LabelValues,
  type WaitReason,
} from './metric-words';
