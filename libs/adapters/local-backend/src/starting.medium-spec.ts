import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRun } from '@fleet/attempt-runner';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { systemClock } from '@fleet/ports';
import { eventually, LocalRuns, logOf, processesOf, publishedFolder, runningFolder } from '@fleet/testing';
import { LocalBackend } from './local-backend';

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];

afterAll(() => runs.dispose());

describe('races', () => {
  it('many starts of one run start it once', async () => {
    const spec = runs.aSpec(sh('echo started >> ../count; sleep 0.5'));
    const states = await Promise.all(Array.from({ length: 6 }, () => runs.aBackend().ensure(spec)));
    expect(states.map(({ state }) => state)).not.toContain('waiting');
    await runs.endOf(runs.aBackend(), spec);
    expect(readFileSync(join(spec.sessionFolder, 'c001-refine', 'count'), 'utf8')).toBe('started\n');
  });

  it('the first process that sees an unpublished result publishes it', async () => {
    const spec = runs.aSpec(sh('true'));
    await runs.endOf(runs.aBackend(), spec);
    execFileSync('mv', [publishedFolder(spec), runningFolder(spec)]);
    const states = await Promise.all(Array.from({ length: 6 }, () => runs.aBackend().ensure(spec)));
    expect(states.every(({ state }) => state === 'ended')).toBe(true);
    expect(existsSync(publishedFolder(spec))).toBe(true);
    expect(existsSync(runningFolder(spec))).toBe(false);
  });

  it('the same name with another command is rejected, before and after the end', async () => {
    const spec = runs.aSpec(sh('sleep 0.5'));
    const other = { ...spec, argv: sh('sleep 0.6') };
    await runs.aBackend().ensure(spec);
    await expect(runs.aBackend().ensure(other)).rejects.toMatchObject({ code: 'run.spec_conflict' });
    await runs.endOf(runs.aBackend(), spec);
    await expect(runs.aBackend().ensure(other)).rejects.toMatchObject({ code: 'run.spec_conflict' });
    expect(await runs.aBackend().find(other)).toMatchObject({ state: 'ended' });
  });

  it('a full computer delays a run, also because of runs of dead executors', async () => {
    const first = runs.aSpec(sh('sleep 600'));
    const alive = runs.aBackend(1);
    await alive.ensure(first);
    await alive.close();
    const second = runs.aSpec(sh('true'));
    const backend = runs.aBackend(1);
    expect(await backend.ensure(second)).toMatchObject({ state: 'waiting' });
    expect(await backend.find(second)).toBeUndefined();
    await backend.cancel(first);
    expect(await runs.endOf(backend, second)).toMatchObject({ kind: 'exited' });
  });
});

describe('a folder that its program removes', () => {
  const times = (spec: RunSpec): string => readFileSync(join(spec.sessionFolder, 'count'), 'utf8');

  it('before its claim was read: the run is lost, and is not started again', async () => {
    const script = join(runs.root, 'takes-its-folder-away.js');
    writeFileSync(
      script,
      `const { appendFileSync, renameSync } = require('node:fs');
       const path = require('node:path');
       const folder = process.argv.at(-2);
       appendFileSync(path.join(folder, '../../count'), 'started\\n');
       renameSync(folder, folder + '.kept');`,
    );
    const backend = new LocalBackend({
      workRoot: runs.root,
      maxRunning: 16,
      memoryMiB: 1e6,
      environment: runs.environment,
      clock: systemClock,
      supervisorScript: script,
      probe: { programs: [], searchFolders: [], onWarning: () => undefined },
    });
    const spec = runs.aSpec(sh('true'));
    expect(await backend.ensure(spec)).toMatchObject({
      state: 'ended',
      ending: { kind: 'lost', infrastructure: true },
    });
    expect(await backend.ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'lost' } });
    expect(times(spec)).toBe('started\n');
    await backend.close();
  });

  it.each([
    ['nothing in its place', ''],
    ['a link in its place', 'ln -s /etc ../a1.running;'],
  ])('while its supervisor is stopped, %s: an executor that never read the claim ends it as lost', async (_, put) => {
    const program = 'echo started >> ../../count; until [ -e ../../go ]; do sleep 0.05; done;';
    const spec = runs.aSpec(sh(`${program} mv ../a1.running ../kept; ${put} touch ../../moved; exec sleep 600`));
    await runs.aBackend().ensure(spec);
    const { supervisor } = await eventually('the claim', () => readRun(runningFolder(spec)));
    // The claim is written before the program starts.
    await eventually('the program', () => existsSync(join(spec.sessionFolder, 'count')));
    process.kill(supervisor.pid, 'SIGSTOP');
    writeFileSync(join(spec.sessionFolder, 'go'), '');
    await eventually('the move', () => existsSync(join(spec.sessionFolder, 'moved')));
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'lost' } });
    expect(times(spec)).toBe('started\n');
    expect(processesOf(spec)).toEqual([]);
    expect(existsSync(join(dirname(runningFolder(spec)), 'kept'))).toBe(true);
  });
});

describe('an executor of another release', () => {
  it('counts the running supervisors of the previous one', async () => {
    const first = runs.aSpec(sh('sleep 600'));
    const old = runs.aBackend(1);
    await old.ensure(first);
    const release = join(runs.root, 'next-release');
    symlinkSync(dirname(runs.supervisor.script), release);
    const next = new LocalBackend({
      workRoot: runs.root,
      maxRunning: 1,
      memoryMiB: 1e6,
      environment: runs.environment,
      clock: systemClock,
      supervisorScript: join(release, basename(runs.supervisor.script)),
      probe: { programs: [], searchFolders: [], onWarning: () => undefined },
    });
    expect(await next.ensure(runs.aSpec(sh('true')))).toMatchObject({ state: 'waiting' });
    await old.cancel(first);
    await next.close();
  });
});

describe('an unmounted work root', () => {
  it('is a transient fault, and its runs do not count as missing', async () => {
    const spec = runs.aSpec(sh('true'));
    const lacking = { ...spec, sessionFolder: join(runs.root, 'not-mounted', 'mx1', 'session') };
    const failing = { code: 'run.storage_failing', message: expect.stringContaining('mounted') as string };
    await expect(runs.aBackend().find(lacking)).rejects.toMatchObject(failing);
    await expect(runs.aBackend().ensure(lacking)).rejects.toMatchObject(failing);
    expect(existsSync(join(runs.root, 'not-mounted'))).toBe(false);
    rmSync(spec.sessionFolder, { recursive: true });
    expect(await runs.aBackend().find(spec)).toBeUndefined();
  });
});

describe('a folder that cannot be created', () => {
  it('is reported as unusable, with the reason', async () => {
    const spec = runs.aSpec(sh('true'));
    writeFileSync(join(spec.sessionFolder, 'c001-refine'), 'in the way');
    await expect(runs.aBackend().ensure(spec)).rejects.toMatchObject({
      code: 'run.folder_unusable',
      message: expect.stringContaining('is not a folder') as string,
    });
  });
});

describe('the memory of this machine', () => {
  it('that running programs may use is not assigned again', async () => {
    const first = runs.aSpec(sh('sleep 600'), { memoryMiB: 700 });
    const backend = runs.aBackend(16, 1000);
    await backend.ensure(first);
    expect(await backend.ensure(runs.aSpec(sh('true'), { memoryMiB: 400 }))).toMatchObject({
      state: 'waiting',
      reason: 'it may take 400 MiB of memory, and running programs leave 300 MiB',
    });
    const third = runs.aSpec(sh('sleep 600'), { memoryMiB: 300 });
    expect(await backend.ensure(third)).toMatchObject({ state: 'running' });
    await Promise.all([first, third].map((spec) => backend.cancel(spec)));
  });

  it("above the computer's own does not block a run that is alone", async () => {
    const alone = runs.aSpec(sh('true'), { memoryMiB: 5000 });
    expect(await runs.settled(runs.aBackend(16, 1000), alone)).toMatchObject({ state: 'ended' });
  });
});

describe('names', () => {
  const awkward = [
    'a b',
    `it's "quoted"`,
    'two\nlines',
    '$(touch pwned)',
    '`id`',
    '--help',
    '-rf',
    'λ-Ångström',
    '*',
    ';exit 3',
    '\\',
    '',
  ];

  it('reach the program unchanged as arguments', async () => {
    const spec = runs.aSpec([
      process.execPath,
      '-e',
      'console.log(JSON.stringify(process.argv.slice(1)))',
      '--',
      ...awkward,
    ]);
    await runs.endOf(runs.aBackend(), spec);
    expect(JSON.parse(logOf(spec).toString())).toEqual(awkward);
    expect(readdirSync(publishedFolder(spec))).not.toContain('pwned');
  });

  it('may contain unusual characters in the folder too', async () => {
    const folder = join(runs.root, `pro posal $(x) 'λ' "\n" -rf`);
    const spec = { ...runs.aSpec(sh('pwd > here')), sessionFolder: folder };
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(existsSync(join(publishedFolder(spec), 'here'))).toBe(true);
  });
});

describe('the environment of a program', () => {
  it("contains what is allowed and nothing of the executor's", async () => {
    expect(Object.keys(process.env)).toContain('NODE_ENV');
    const spec = runs.aSpec(['/usr/bin/env']);
    await runs.endOf(runs.aBackend(), spec);
    const names = logOf(spec)
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.sort()).toEqual(['FLEET_ATTEMPT', 'HOME', 'LANG', 'PATH', 'TMPDIR', 'USER']);
  });

  it('has a temporary folder that is removed, and an empty standard input', async () => {
    const spec = runs.aSpec(sh('echo x > "$TMPDIR/scratch" && cat && echo ok'));
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ exitCode: 0 });
    expect(logOf(spec).toString()).toBe('ok\n');
    expect(existsSync(join(publishedFolder(spec), attemptFiles.temporary))).toBe(false);
  });
});
