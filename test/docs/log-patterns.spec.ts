import type { MetricPattern, ProgramKnowledge } from '@fleet/knowledge-model';
import { projectRules } from '@fleet/testing';
import { expectPage } from './generated-page';

const preamble = `# Patterns of logs

Generated from \`knowledge/programs/\` by \`test/docs/log-patterns.spec.ts\` (regenerate with \`FLEET_WRITE_DOCS=1\`).

For crystallographers: which lines of a log give which metric. Of several such lines the last counts unless stated, because it is
newer. Blanks in a line match any number of blanks. Of several patterns for a metric the first match counts; tables and lists,
which are read in code, come first.

The last column names a log that shows the line. \`public:\` is below \`libtbx/langchain/log_extraction/corpus/\` of cctbx_project;
\`fixtures/\` is below \`libs/domain/log-parsing/src/\` and was written after public logs, which its README names; others are real
logs that \`libs/domain/log-parsing/src/real-logs.medium-spec.ts\` reads. Without an entry there was no real log.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '\\<');

const counts = ({ take, because, after, until }: MetricPattern): string => {
  const block = [
    after === undefined ? [] : ['in a block of its own'],
    until === undefined ? [] : ['up to its end'],
  ].flat();
  const which = take === undefined ? 'last' : `${take}: ${because ?? ''}`;
  return [which, ...block].join(', ');
};

const row = (pattern: MetricPattern): string => {
  const names = Object.keys(pattern.metrics ?? { [pattern.metric]: '' }).map((name) => `\`${name}\``);
  return `| ${pattern.id} | ${names.join(', ')} | ${cell(counts(pattern))} | ${cell(pattern.why)} | ${pattern.log ?? ''} |`;
};

const section = ({ name, metrics, tables }: ProgramKnowledge): readonly string[] => {
  if (metrics.length === 0 && tables === undefined) return [];
  const table = tables && `| ${tables.readers.join(', ')} | | in code | ${cell(tables.why)} | ${tables.log ?? ''} |`;
  const head = ['| pattern | metric | which counts | line | log |', '| --- | --- | --- | --- | --- |'];
  return [`## ${name}\n`, ...head, ...(table === undefined ? [] : [table]), ...metrics.map(row), ''];
};

describe('docs/reference/log-patterns.md', () => {
  it('states which occurrence of every pattern counts, with an example log', async () => {
    const { programs } = projectRules();
    const text = [preamble, ...Object.values(programs).flatMap(section)].join('\n');
    await expectPage('docs/reference/log-patterns.md', text);
  });
});
