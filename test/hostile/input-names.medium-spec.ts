import { mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunInput, RunSpec } from '@fleet/contracts/runs';
import type { SessionFile } from '@fleet/contracts/sessions';
import { commandFiles } from '@fleet/files';
import { aFile, logOf, LocalRuns, publishedFolder } from '@fleet/testing';

const runs = new LocalRuns();
const root = realpathSync(runs.root);
afterAll(() => runs.dispose());

/** Every character below 0x80 that a name can hold. */
const ascii = Array.from({ length: 0x7f }, (_, index) => String.fromCharCode(index + 1)).filter((one) => one !== '/');
/** Above: other directions of writing, line ends, blanks, marks that join. */
const beyond = [
  '\u0080',
  '\u0085',
  '\u00a0',
  '\u0301',
  '\u200b',
  '\u200f',
  '\u2028',
  '\u2029',
  '\u202e',
  '\ufeff',
  '\u{1f9ec}',
];

/** A run of a shell script with these files as its arguments. */
const aRunWith = (script: string, files: readonly SessionFile[], flag = ''): RunSpec => {
  const tokens = files.map(({ path }) => `${flag}${path}`);
  const argv = ['shell', ...tokens];
  const inputs = commandFiles({ argv, inputs: files.map(({ path }) => ({ slot: 'data', path })) }, files).map(
    ({ argument, flag: parameter, path, name }): RunInput => ({
      argument: argument + 3,
      ...(parameter !== undefined && { flag: parameter }),
      path,
      root,
      name,
    }),
  );
  return { ...runs.aSpec(['/bin/sh', '-c', script, ...argv]), inputs };
};

const aPath = (folder: string, name: string): SessionFile => {
  const parent = join(root, 'data', folder);
  mkdirSync(parent, { recursive: true });
  const path = join(parent, name);
  writeFileSync(path, `content of ${JSON.stringify(name)}`);
  return aFile({ path, facts: { format: 'mtz' } });
};

describe('a program', () => {
  it('receives files of any name under names that no parameter parser can misread', async () => {
    const names = [...ascii, ...beyond].map((one) => `a${one}b.mtz`);
    const files = names.map((name) => aPath('plain', name));
    const spec = aRunWith('for file; do printf "%s\\n" "$file"; cat "$file"; echo; done', files);
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    const lines = logOf(spec).toString().trimEnd().split('\n');
    expect(lines.filter((_, index) => index % 2 === 1)).toEqual(
      names.map((name) => `content of ${JSON.stringify(name)}`),
    );
    const given = lines.filter((_, index) => index % 2 === 0);
    expect(given.filter((path) => !/^[A-Za-z0-9._/-]+$/.test(path))).toEqual([]);
    expect(new Set(given).size).toBe(names.length);
  });

  it('receives files from folders of any name', async () => {
    const parameter = 'x.mtz\nscaling.input.parameters.reporting.log=';
    const folders = [...ascii, ...beyond].map((one) => `f${one}`).filter((one) => one !== 'f.');
    const files = [...folders, ascii.join('').slice(0, 120), parameter].map((folder) => aPath(folder, 'data.mtz'));
    const spec = aRunWith('for file; do printf "%s\\n" "$file"; done', files, 'input.file_name=');
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    const lines = logOf(spec).toString().trimEnd().split('\n');
    expect(lines).toHaveLength(files.length);
    expect(lines.filter((line) => !/^input\.file_name=[A-Za-z0-9._/-]+\/data\.mtz$/.test(line))).toEqual([]);
  });

  it('may write beside its input: neither the original nor the published files change', async () => {
    const file = aPath('beside', 'data.mtz');
    const spec = aRunWith('echo x > "$(dirname "$1")/data.log"; echo x > "$1" || chmod +w "$1"; echo y > "$1"; echo', [
      file,
    ]);
    await runs.endOf(runs.aBackend(), spec);
    expect(readFileSync(file.path, 'utf8')).toBe('content of "data.mtz"');
    expect(readdirSync(join(root, 'data', 'beside'))).toEqual(['data.mtz']);
    expect(readdirSync(publishedFolder(spec)).sort()).toEqual(['.fleet', 'program.log']);
  });
});
