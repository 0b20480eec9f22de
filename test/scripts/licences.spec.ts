import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const checked = (packages: object): { readonly ok: boolean; readonly lines: readonly string[] } => {
  const text = `import { checkLicences } from './scripts/checks/licences.mjs'; process.exitCode = checkLicences(${JSON.stringify(packages)}) ? 0 : 1;`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    cwd: resolve(__dirname, '../..'),
    encoding: 'utf8',
  });
  return { ok: status === 0, lines: stdout.split('\n').slice(0, -1) };
};

describe('the licences of packages', () => {
  it('are permissive, or those of tools of which nothing is passed on', () => {
    const allowed = {
      '': { version: '1.0.0' },
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/a/node_modules/b': { version: '1.0.0', license: '(MIT OR GPL-3.0)' },
      'node_modules/c': { version: '1.0.0', license: 'Apache-2.0 AND MIT' },
      'node_modules/axe-core': { version: '1.0.0', license: 'MPL-2.0', dev: true },
    };
    expect(checked(allowed)).toEqual({ ok: true, lines: [] });
  });

  it('are named where they are not', () => {
    const others = {
      'node_modules/@x/a': { version: '1.0.0', license: 'GPL-3.0-only' },
      'node_modules/b': { version: '2.0.0', license: 'MPL-2.0' },
      'node_modules/c': { version: '3.0.0', license: 'MIT AND SSPL-1.0' },
      'node_modules/d': { version: '4.0.0' },
    };
    const { ok, lines } = checked(others);
    expect([ok, lines.map((line) => line.split(';')[0])]).toEqual([
      false,
      [
        '@x/a 1.0.0: GPL-3.0-only',
        'b 2.0.0: MPL-2.0',
        'c 3.0.0: MIT AND SSPL-1.0',
        'd 4.0.0: its package names no licence',
      ],
    ]);
  });
});
