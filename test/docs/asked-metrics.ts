import { describedMetrics, type LabelValues } from '@fleet/contracts';

const metrics = new Map<string, ReturnType<typeof describedMetrics>[number][1]>(describedMetrics());

/** What Prometheus says of each figure, wherever it was read. */
const ofPrometheus: readonly string[] = ['namespace', 'le'];

/** What a label may say; any status of HTTP, and `none`, where it is one; what a process declares when it starts is not known here. */
const mayBe = (values: LabelValues | undefined, word: string): boolean => {
  if (values === 'status') return /^(?:[1-5]\d\d|none)$/.test(word);
  return values === 'declared' || values?.includes(word) === true;
};

const problemsIn = (name: string, inside: string): readonly string[] => {
  const labels = metrics.get(name)?.labels;
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

/** What a query asks for that no process tells: metrics, labels, words of labels. */
export const unknownIn = (expr: string): readonly string[] => {
  const asked = [...expr.matchAll(/\b(phenix_fleet_[a-z_]+?)(?:_bucket)?(?:\{(.*?)\}|(?![a-z_]))/g)];
  if (asked.length === 0) return [`${expr} asks for no metric of ours`];
  return asked.flatMap(([, name = '', inside = '']) => problemsIn(name, inside));
};
