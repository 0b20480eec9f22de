import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const sources = ['apps', 'libs', 'test', 'knowledge', 'docs', 'scripts', 'docker', 'helm'].map(
  (folder) => `${folder}/**/*.{ts,mjs,py,yaml,json,md}`,
);

/** Anchors of a page, as GitHub makes them from its headings. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const pages = ['phenix-agent.md', 'decisions.md'];

describe('a citation of docs/reference', () => {
  const texts = globSync(sources, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|\.venv|__pycache__)$/.test(path),
  }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

  it.each(pages)('names a section of %s', (page) => {
    const anchors = anchorsOf(`docs/reference/${page}`);
    const cited = texts.flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(`${page.replace('.', '\\.')}#([a-z0-9-]+)`, 'g'))].map(([, anchor]) => ({
        path,
        anchor: anchor!,
      })),
    );
    expect(cited.filter(({ anchor }) => !anchors.has(anchor))).toEqual([]);
  });

  it('is present where a rule of the agent is followed', () => {
    const citing = texts.filter(({ path, text }) => !path.startsWith('docs/') && text.includes('phenix-agent.md#'));
    expect(citing.length).toBeGreaterThan(20);
  });
});
