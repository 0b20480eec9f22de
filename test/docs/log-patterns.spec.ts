import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRuleBook } from '@fleet/knowledge';
import type { MetricPattern, ProgramKnowledge } from '@fleet/knowledge-model';
import { format } from 'prettier';

const root = join(__dirname, '../..');
const page = join(root, 'docs/reference/log-patterns.md');

const preamble = `# Patterns of logs

Made from \`knowledge/programs/\` by \`test/docs/log-patterns.spec.ts\` (write it again with \`FLEET_WRITE_DOCS=1\`).

Which lines of a program's log give which metric, and which of several such lines counts. Where nothing else is written the last one counts, because
what a program prints later is newer. Any number of blanks in a line stands for one. Of several patterns for one metric the first that finds it counts;
tables and lists, which are read in code, come before patterns.

The last column names a log that shows it. \`public:\` is below \`libtbx/langchain/log_extraction/corpus/\` of cctbx_project; \`fixtures/\` is below
\`libs/domain/log-parsing/src/\` and was written by us after public logs, whose README names them; the others are real logs that
\`libs/domain/log-parsing/src/real-logs.medium-spec.ts\` reads. Without one, no real log is at hand: the words are those of the column before it.
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
  it('says which occurrence of every pattern counts, with a log that shows it', async () => {
    const { programs } = await loadRuleBook(join(root, 'knowledge'));
    const text = [preamble, ...Object.values(programs).flatMap(section)].join('\n');
    const made = await format(text, { parser: 'markdown', printWidth: 150 });
    if (process.env['FLEET_WRITE_DOCS'] === '1') writeFileSync(page, made);
    expect(readFileSync(page, 'utf8')).toBe(made);
  });
});
