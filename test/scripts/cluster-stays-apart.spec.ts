import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');
const textOf = (file: string): string => readFileSync(join(project, file), 'utf8');
const below = (folder: string, ending: RegExp): readonly string[] =>
  (readdirSync(join(project, folder), { recursive: true }) as string[])
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));

describe('the Kubernetes that is built for tests stays apart from what ships (ADR 0053)', () => {
  it('no file of an app or a library imports it', () => {
    const shipped = ['apps', 'libs'].flatMap((folder) => below(folder, /(?<![.-]spec|\.fake|\.harness)\.tsx?$/));
    const importing = shipped
      .filter((file) => !file.startsWith('libs/testing/'))
      .filter((file) => /(from|import\(|require\() ?'[^']*scripts\//.test(textOf(file)));
    expect(shipped.length).toBeGreaterThan(500);
    expect(importing).toEqual([]);
  });

  it('no image gets it: what may reach one is listed, and scripts are not', () => {
    const [first, ...rest] = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(rest.filter((line) => line.startsWith('!') && line.includes('scripts'))).toEqual([]);
    for (const file of below('docker', /Dockerfile$/)) expect(textOf(file)).not.toMatch(/^(COPY|ADD) .*scripts/m);
  });

  it('the chart does not know it', () => {
    for (const file of below('helm/phenix-fleet', /\.(yaml|tpl|mjs|json)$/))
      expect(textOf(file)).not.toContain('scripts/cluster');
  });
});
