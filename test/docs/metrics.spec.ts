import { describedMetrics, type LabelValues } from '@fleet/contracts/metrics';
import { expectPage } from './generated-page';

const preamble = `# Metrics

Generated from \`libs/domain/contracts/src/metrics/metrics.ts\` by \`test/docs/metrics.spec.ts\` (regenerate with \`FLEET_WRITE_DOCS=1\`).

Every process answers \`GET /metrics\` on \`FLEET_HEALTH_PORT\` in Prometheus' text format; [operations.md](../operations.md) says who may read it and how it is
scraped. A metric is absent until something is counted; launches, endings and ends of sessions begin at 0, so that Prometheus
sees the first as an increase. A label has one of the values below or \`other\`: never an id, a person or a proposal.

- **every process, gateway, worker, decision worker, executor**: what this process has done since it started. Sum it over processes.
- **fleet**: read from PostgreSQL and Redis when a gateway is asked, at most every 5 s. Every gateway reports the same: take \`max by (…)\`, never the sum.

Processor, memory, event loop and garbage collection of each process are there as Node's usual \`process_*\` and \`nodejs_*\`.
`;

const valuesOf: Readonly<Record<Exclude<LabelValues, readonly string[]>, Readonly<Record<string, string>>>> = {
  declared: {
    route: 'patterns of paths, as `/v1/sessions/:id`; `none`',
    group: 'groups of `FLEET_PROPOSAL_GROUPS`; `other`',
    program: 'programs of the rule book',
    target: 'targets of `FLEET_MODELS_FILE`',
  },
  status: { code: 'HTTP status; `none`' },
};

const labelOf = ([label, values]: readonly [string, LabelValues]): string =>
  `\`${label}\`: ${typeof values === 'string' ? (valuesOf[values][label] ?? '?') : values.map((value) => `\`${value}\``).join(', ')}`;

describe('docs/reference/metrics.md', () => {
  it('has every metric with its type, labels, unit and meaning', async () => {
    const rows = describedMetrics().map(([name, { type, by, unit, labels, what }]) => {
      const shown = Object.entries(labels).map(labelOf).join('; ');
      return `| \`${name}\` | ${type} | ${by} | ${unit} | ${shown === '' ? '–' : shown} | ${what} |`;
    });
    const head = '| metric | type | of | unit | labels | what |\n| --- | --- | --- | --- | --- | --- |';
    const text = [preamble, head, ...rows].join('\n');
    expect(text).not.toContain('?');
    await expectPage('docs/reference/metrics.md', text, { printWidth: 160 });
  });
});

describe('every metric', () => {
  it.each(describedMetrics())('%s is named after its type and unit', (name, { type, unit }) => {
    expect(name).toMatch(/^phenix_fleet_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    for (const basic of ['seconds', 'bytes']) expect(name.endsWith(`_${basic}`)).toBe(unit === basic);
  });

  it.each(describedMetrics())('%s has no label that Prometheus gives itself', (_name, { labels }) => {
    for (const given of ['job', 'instance', 'namespace', 'pod', 'container', 'endpoint', 'node', 'le'])
      expect(Object.keys(labels)).not.toContain(given);
  });

  it.each(describedMetrics())('%s has few enough series', (_name, { labels, buckets }) => {
    const most = { declared: 120, status: 20 };
    const series = Object.values(labels).reduce(
      (product, values) => product * (typeof values === 'string' ? most[values] : values.length + 1),
      (buckets?.length ?? 0) + 1,
    );
    expect(series).toBeLessThan(20_000);
  });
});
