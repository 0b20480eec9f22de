import type { Metric } from '@fleet/contracts/sessions';

/** Title of the PHENIX AI Agent's own metrics report (phenix-agent.md#metrics-report). */
export const reportTitle = 'FINAL QUALITY METRICS REPORT:';
export const reportEnd = /^\*{20,}$/;
const rule = /^[-*]{20,}$/;

const entry = /^\s*([A-Za-z][\w ()/-]{0,79}):\s+(\S.{0,499})$/;
const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?(?:e-?\d{1,3})?(?=$|\s*(?:%|Å|A)$)/i;

/** `R Free` is `r_free`: inverts the report's titles. */
const nameOf = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');

const valueOf = (text: string): Metric['value'] | undefined => {
  if (text === 'None') return undefined;
  if (text === 'True' || text === 'False') return text === 'True';
  const number = plainNumber.exec(text)?.[0];
  return number === undefined ? text : Number(number);
};

/** Splits a text into its beginning and the agent's report; the line of stars above the title belongs to the report. */
const partsOf = (
  text: string,
): { readonly said: string; readonly report: readonly string[]; readonly from: number } => {
  const lines = text.split(/\r?\n/);
  const title = lines.findLastIndex((line) => line.trim() === reportTitle);
  if (title < 0) return { said: text, report: [], from: 0 };
  const below = lines.slice(title + 1);
  const end = below.findIndex((line) => reportEnd.test(line.trim()));
  const above = lines.slice(0, title);
  if (rule.test(above.at(-1)?.trim() ?? '')) above.pop();
  return { said: above.join('\n').trimEnd(), report: end < 0 ? below : below.slice(0, end), from: title + 2 };
};

/** A text without the report at its end. */
export const withoutMetricsReport = (text: string): string => partsOf(text).said;

/** The metrics of the last report in a text; fractions, Å and percent as the agent printed them. */
export const metricsOfReport = (text: string): readonly Metric[] => {
  const { report, from } = partsOf(text);
  const found = new Map<string, Metric>();
  for (const [index, line] of report.entries()) {
    const [, title = '', printed = ''] = entry.exec(line) ?? [];
    const value = printed === '' ? undefined : valueOf(printed.trim());
    const name = nameOf(title);
    if (value === undefined || name === '' || found.has(name)) continue;
    found.set(name, { name, value, line: from + index, pattern: 'metrics report' });
  }
  return [...found.values()];
};
