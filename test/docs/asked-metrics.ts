import { describedMetrics, type LabelValues } from '@fleet/contracts/metrics';
import { collectDefaultMetrics, Registry } from 'prom-client';

const metrics = new Map<string, ReturnType<typeof describedMetrics>[number][1]>(describedMetrics());

const namesOfNode = (): ReadonlySet<string> => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return new Set(register.getMetricsAsArray().map(({ name }) => name));
};
/** What every process tells of itself beside our own metrics. */
const ofNode = namesOfNode();

/** What Prometheus says of each figure, wherever it was read; of pods with the labels that the chart's PodMonitor asks for. */
const ofPrometheus: readonly string[] = ['namespace', 'pod', 'app_kubernetes_io_component', 'le'];

/** What a label may say; any status of HTTP, and `none`, where it is one; what a process declares when it starts is not known here. */
const mayBe = (values: LabelValues | undefined, word: string): boolean => {
  if (values === 'status') return /^(?:[1-5]\d\d|none)$/.test(word);
  return values === 'declared' || values?.includes(word) === true;
};

const problemsIn = (name: string, inside: string): readonly string[] => {
  const labels = ofNode.has(name) ? {} : metrics.get(name)?.labels;
  if (labels === undefined) return [`there is no metric ${name}`];
  return [...inside.matchAll(/(\w+)(?:=|!=|=~|!~)"(.*?)"/g)].flatMap(([, label = '', words = '']) =>
    ofPrometheus.includes(label)
      ? []
      : words
          .split('|')
          .filter((word) => !mayBe(labels[label], word))
          .map((word) => `${name} has no ${label}="${word}"`),
  );
};

/** What a query asks for that no process tells: metrics, labels, words of labels. A histogram is asked for by its parts. */
export const unknownIn = (expr: string): readonly string[] => {
  const queriedMetrics = [
    ...expr.matchAll(
      /\b((?:phenix_fleet|nodejs|process)_[a-z0-9_]+?)(?:_bucket|_sum|_count)?(?:\{(.*?)\}|(?![a-z0-9_]))/g,
    ),
  ];
  if (queriedMetrics.length === 0) return [`${expr} asks for no metric that a process has`];
  return queriedMetrics.flatMap(([, name = '', inside = '']) => problemsIn(name, inside));
};
