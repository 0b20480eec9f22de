import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');

describe('test files that passed before', () => {
  let home: string;
  let root: string;
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'fleet-passed-'));
    root = join(home, 'checkout');
    write('apps/gateway/src/main.ts', 'one');
    write('test/e2e/loop.e2e-spec.ts', 'drives it');
    write('test/dashboard/page.e2e-spec.ts', '// @needs chromium');
    write('test/chart/chart.e2e-spec.ts', 'renders it');
    spawnSync('git', ['init', '-q'], { cwd: root });
  });
  afterEach(() => {
    rmSync(home, { recursive: true });
  });

  const files = [
    { file: 'test/e2e/loop.e2e-spec.ts', late: false },
    { file: 'test/dashboard/page.e2e-spec.ts', late: false },
    { file: 'test/chart/chart.e2e-spec.ts', late: true },
  ];

  /** Names of those that need not run; `then` is what is remembered after. */
  const before = (then = '', env: object = {}): readonly string[] => {
    const text = `import { passedFiles } from './scripts/checks/passed-files.mjs';
      const { before, remember } = passedFiles(${JSON.stringify(files)}, ${JSON.stringify(root)});
      process.stdout.write(JSON.stringify(before.map(({ file, passed }) => file.split('/')[1] + passed)));
      ${then}`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, KUBECONFIG: undefined, XDG_CACHE_HOME: home, ...env },
    });
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout) as string[];
  };
  const all = ['e2e3', 'dashboard3', 'chart3'];
  const keep = files.map(({ file }) => `remember(${JSON.stringify(file)}, 3);`).join('');

  it('need not run again, unless somebody asks for it', () => {
    expect(before(keep)).toEqual([]);
    expect(before()).toEqual(all);
    expect(before('', { FLEET_TEST_AGAIN: '1' })).toEqual([]);
  });

  it.each([
    ['a service', 'apps/gateway/src/main.ts', []],
    ['a new file', 'libs/new.ts', []],
    ['the test itself', 'test/e2e/loop.e2e-spec.ts', ['dashboard3', 'chart3']],
    ['another test', 'libs/domain/one.spec.ts', all],
    ['a document', 'docs/runbooks/page.md', ['e2e3', 'dashboard3']],
    ['the dashboard', 'apps/dashboard/src/page.tsx', ['e2e3']],
  ])('are told by what they can read: after a change of %s', (_what, file, rest) => {
    before(keep);
    write(file, 'other');
    expect(before()).toEqual(rest);
  });

  it('run where the cluster is another one than that of the project, and are not kept', () => {
    before(keep);
    expect(before(keep, { KUBECONFIG: '/etc/other.kubeconfig' })).toEqual(['e2e3', 'dashboard3']);
  });

  it('run again with other test data', () => {
    const data = join(home, 'data');
    mkdirSync(data);
    const env = { PHENIX_FLEET_TEST_DATA: data };
    before(keep, env);
    expect(before('', env)).toEqual(all);
    writeFileSync(join(data, 'a.mtz'), 'one');
    expect(before('', env)).toEqual([]);
  });
});
