import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const found = (patterns: readonly string[]): readonly string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted();
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

const ownPages = found(['*.md', 'docs/*.md', 'docs/reference/*.md', 'docs/runbooks/*.md']);
const pages = [
  ...ownPages,
  ...found(['docs/adr/*.md', 'helm/*/README.md', 'libs/*/README.md', 'scripts/**/*.md', 'docker/*/README.md']),
];

/** Text of a page without its fenced examples. */
const proseOf = (page: string): string => textOf(page).replaceAll(/^ *```[^]*?^ *```/gm, '');

/** Anchors of a page, as GitHub makes them from its headings. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

/** Relative links of a page that lead to no file, or to no heading of one. */
const brokenLinks = (page: string): readonly string[] =>
  [
    ...proseOf(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g),
  ]
    .filter(([, target = '', anchor]) => {
      const path = target === '' ? page : join(dirname(page), target);
      if (!existsSync(join(root, path))) return true;
      return anchor !== undefined && statSync(join(root, path)).isFile() && !anchorsOf(path).has(anchor);
    })
    .map(([link]) => `${page}: ${link}`);

/** Whole pages that the code writes say so in their first lines; parts of pages stand between comments. */
const isGenerated = (page: string): boolean => /^(Made|Generated) (from|by) /m.test(textOf(page).slice(0, 400));

/** Lines of more than 120 columns, but for tables and what cannot be wrapped (a single word or piece of code). */
const wideLines = (page: string): readonly string[] =>
  proseOf(page)
    .replaceAll(/<!-- generated[^]*?<!-- end of generated -->/g, '')
    .split('\n')
    .filter((line) => line.length > 120 && !line.startsWith('|') && !/^\s*(- )?(\S+|`[^`]*`),?$/.test(line))
    .map((line) => `${page}: ${line}`);

describe('documents', () => {
  it('have no broken link', () => {
    expect(pages.length).toBeGreaterThan(100);
    expect(pages.flatMap(brokenLinks)).toEqual([]);
  });

  it('that are hand-written, decisions included, have lines of at most 120 columns', () => {
    const byHand = pages.filter((page) => !isGenerated(page));
    expect(byHand.length).toBeGreaterThan(50);
    expect(byHand.flatMap(wideLines)).toEqual([]);
  });

  it('in docs and docs/reference are in the index docs/README.md', () => {
    const index = textOf('docs/README.md');
    const listed = found(['docs/*.md', 'docs/reference/*.md']).filter((page) => page !== 'docs/README.md');
    expect(listed.filter((page) => !index.includes(`](${page.replace('docs/', '')})`))).toEqual([]);
  });
});
