import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/security.md',
  'docs/where-to-change.md',
];

const ignored = ['node_modules', 'dist', '.git', '.cache'];
const ownFiles: readonly string[] = globSync('**/*', {
  cwd: root,
  exclude: (path) => ignored.includes(basename(path)),
});
const ownNames = new Set(ownFiles.map((path) => basename(path)));
const topFolders = new Set(ownFiles.map((path) => path.split('/')[0]!));

/** Text of a page without its fenced examples: paths there are those of a user's machine. */
const proseOf = (page: string): string => readFileSync(join(root, page), 'utf8').replaceAll(/^```[^]*?^```/gm, '');

const exists = (pattern: string): boolean =>
  globSync(pattern.replaceAll(/<[a-z]+>/g, '*').replace(/\/$/, ''), { cwd: root }).length > 0;

/** Whether a name in backticks is meant as a path of ours: it begins with a folder of ours, with `…/`, or is a source file's bare name. */
const meansPath = (name: string): boolean =>
  /^[\w.@…<>{},*/-]+$/.test(name) &&
  (name.includes('/') ? topFolders.has(name.split('/')[0]!) || name.startsWith('…/') : /\w\.(ts|mjs|py)$/.test(name));

/** `…/src/judge/` lies somewhere above the path before it; a bare name lies anywhere. */
const isThere = (name: string, before: string): boolean => {
  if (!name.includes('/'))
    return name.includes('*') ? ownFiles.some((path) => path.endsWith(name.slice(1))) : ownNames.has(name);
  if (!name.startsWith('…/')) return exists(name);
  for (let folder = before; folder !== '.'; folder = dirname(folder)) {
    if (exists(join(folder, name.slice(2)))) return true;
  }
  return false;
};

const missingPaths = (page: string): readonly string[] => {
  const missing: string[] = [];
  for (const line of proseOf(page).split('\n')) {
    let before = '.';
    for (const [, name] of line.matchAll(/`([^`\s]+)`/g)) {
      if (!meansPath(name!)) continue;
      if (!isThere(name!, before)) missing.push(name!);
      if (!name!.startsWith('…/')) before = name!.replace(/\/$/, '');
    }
  }
  return missing;
};

const missingLinks = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !exists(join(dirname(page), target)));

describe.each(pages)('%s', (page) => {
  it('names only existing paths', () => {
    expect(missingPaths(page)).toEqual([]);
  });

  it('has no broken link', () => {
    expect(missingLinks(page)).toEqual([]);
  });
});

describe('"Which file do I change?"', () => {
  const rows = proseOf('docs/where-to-change.md')
    .replaceAll('\n  ', ' ')
    .split('\n')
    .filter((line) => line.startsWith('- '));

  it('has a path in each row', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => ![...row.matchAll(/`([^`\s]+)`/g)].some(([, name]) => meansPath(name!)))).toEqual([]);
  });

  it('has no duplicate question', () => {
    const questions = rows.map((row) => row.slice(2).split(/[,(:]/)[0]!.trim());
    expect(questions.filter((question, index) => questions.indexOf(question) !== index)).toEqual([]);
  });
});
