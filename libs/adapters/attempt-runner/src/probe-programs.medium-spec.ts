import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSupervisor, useFolder } from '@fleet/testing';
import { probeArguments, readProbeRecord } from './probe/probe-record';

const top = useFolder('file');
const compiled = compileSupervisor();
const script = join(compiled.script, '..', 'probe-programs.js');
const out = join(top, 'programs.json');

const anExecutable = (folder: string, name: string, text: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
};

const run = (args: readonly string[], path = '/usr/bin:/bin'): Promise<{ code: number; errors: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [script, ...args], { env: { PATH: path } }, (_, __, errors) =>
      resolve({ code: child.exitCode ?? -1, errors }),
    );
  });

afterEach(() => rmSync(out, { force: true }));

describe('the probe of a container', () => {
  it('lists the installed programs, along PATH and in given folders', async () => {
    const [given, onPath] = [join(top, 'phenix'), join(top, 'path')];
    anExecutable(join(given, 'bin'), 'phenix.refine', '#!/bin/sh\n');
    anExecutable(join(given, 'bin'), 'phenix.version', '#!/bin/sh\necho Version: 2.0-5793\n');
    anExecutable(onPath, 'phenix.phaser', '#!/bin/sh\n');
    const programs = ['phenix.refine', 'phenix.phaser', 'phenix.autosol'];
    const args = probeArguments({ programs, phenixFolder: given }, out);
    expect((await run(args, `${onPath}:/usr/bin:/bin`)).code).toBe(0);
    const record = readProbeRecord(out)!;
    expect(record.programs).toEqual([
      {
        program: 'phenix.refine',
        provider: 'phenix',
        version: 'PHENIX 2.0-5793',
        command: [join(given, 'bin/phenix.refine')],
      },
      {
        program: 'phenix.phaser',
        provider: 'phenix',
        version: 'PHENIX (unknown version)',
        command: [join(onPath, 'phenix.phaser')],
      },
    ]);
    expect(record.warnings).toEqual([`the PHENIX in ${onPath} does not report its version`]);
    expect(readdirSync(top)).not.toContainEqual(expect.stringContaining('programs.json.'));
  });

  it('reports no programs and broken installations as a result', async () => {
    const openPhenixFolder = join(top, 'broken-kit');
    anExecutable(join(openPhenixFolder, 'bin'), 'open-phenix', '#!/bin/sh\nexit 1\n');
    const { code, errors } = await run(probeArguments({ programs: ['phenix.refine'], openPhenixFolder }, out));
    expect(code).toBe(0);
    expect(errors).toContain('open-phenix list --json failed');
    expect(readProbeRecord(out)).toMatchObject({ programs: [], warnings: [expect.stringContaining('failed')] });
  });

  it.each([
    [[], '--programs names no program'],
    [['--programs', 'a', '--out', 'relative.json'], '--out needs the absolute path'],
    [['--programs', 'a', '--out', '/no/such/folder/x.json'], 'ENOENT'],
    [['--programs', 'a', '--out', out, '--unknown'], '--unknown'],
  ])('fails with a clear message on %j', async (args, message) => {
    const { code, errors } = await run(args);
    expect(code).toBe(1);
    expect(errors).toContain(message);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });
});

describe('the record of a probe', () => {
  it('is rejected when it is invalid', () => {
    expect(readProbeRecord(out)).toBeUndefined();
    for (const text of ['', '{}', '{"schemaVersion":1,"probedAt":"","programs":[{}],"warnings":[]}']) {
      writeFileSync(out, text);
      expect(readProbeRecord(out)).toBeUndefined();
    }
  });
});
