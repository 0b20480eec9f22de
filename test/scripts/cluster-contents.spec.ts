import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { useFolder } from '@fleet/testing';

const project = resolve(__dirname, '../..');

/** The value of an expression over the exports of scripts/checks/cluster-contents.mjs. */
const valueOf = (expression: string): unknown => {
  const text = `import * as contents from './scripts/checks/cluster-contents.mjs';
    process.stdout.write(JSON.stringify(${expression}) ?? "null");`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    cwd: project,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
};

const listed = valueOf('contents.clusterContents') as readonly string[];
const contains = (files: readonly string[]): readonly string[] =>
  valueOf(`${JSON.stringify(files)}.filter((file) => contents.isClusterContent(file))`) as readonly string[];

const sourcesBelow = (folder: string): readonly string[] =>
  (readdirSync(join(project, folder), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && !/[.-]spec\.ts$|\.fake\.ts$|\.harness\.ts$/.test(name))
    .map((name) => join(folder, name));

describe('the contents that the cluster suite depends on', () => {
  it('exist, each of them', () => {
    expect(listed.filter((name) => !existsSync(join(project, name)))).toEqual([]);
  });

  it('include every cluster spec, and neither documents nor tests of other suites', () => {
    const specs = (readdirSync(join(project, 'test'), { recursive: true }) as string[])
      .filter((name) => name.endsWith('.cluster-spec.ts'))
      .map((name) => join('test', name));
    expect(specs.length).toBeGreaterThan(5);
    expect(contains(specs)).toEqual(specs);
    expect(contains(['docs/kueue.md', 'helm/phenix-fleet/README.md', 'test/chart/chart.e2e-spec.ts'])).toEqual([]);
  });

  it("include each library on the way from the executor to a pod, but the domain and the services' own, which npm test covers", () => {
    const elsewhere = ['contracts', 'ports'];
    const folders = ['libs/adapters/kubernetes-backend/src', 'libs/adapters/attempt-runner/src'];
    const imported = folders
      .flatMap(sourcesBelow)
      .flatMap((file) => [...readFileSync(join(project, file), 'utf8').matchAll(/from '@fleet\/([^'/]+)/g)])
      .map(([, name = '']) => name)
      .filter((name) => !elsewhere.includes(name));
    const unlisted = [...new Set(imported)].filter((name) => !listed.some((one) => one.endsWith(`/${name}`)));
    expect(unlisted).toEqual([]);
  });
});

describe('the digest', () => {
  const root = useFolder();
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const digest = (): unknown =>
    valueOf(`contents.clusterDigest(${JSON.stringify(root)}, ['helm', 'package-lock.json'])`);

  beforeEach(() => {
    write('helm/chart/values.yaml', 'one');
    write('package-lock.json', '{}');
  });

  it.each(['helm/chart/values.yaml', 'helm/chart/new.yaml'])('changes with %s', (file) => {
    const before = digest();
    write(file, 'other');
    expect(digest()).not.toBe(before);
  });

  it.each(['helm/chart/README.md', 'docs/kueue.md', 'helm/chart.spec.ts'])(
    'stays the same whatever is in %s',
    (file) => {
      const before = digest();
      write(file, 'other');
      expect(digest()).toBe(before);
    },
  );

  it('changes with a package that ships, not with one that only tests use', () => {
    const lock = (packages: object): void => write('package-lock.json', JSON.stringify({ packages }));
    const nest = { 'node_modules/@nestjs/core': { version: '12.0.0' } };
    lock({ ...nest, 'node_modules/jest': { version: '30.0.0', dev: true } });
    const before = digest();
    lock({ ...nest, 'node_modules/jest': { version: '31.0.0', dev: true } });
    expect(digest()).toBe(before);
    lock({ 'node_modules/@nestjs/core': { version: '12.0.1' } });
    expect(digest()).not.toBe(before);
  });
});
