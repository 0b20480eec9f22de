// @needs root @needs linux
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import {
  eventually,
  LocalRuns,
  logOf,
  prepareAttempt,
  publishedFolder,
  runningFolder,
  SupervisedAttempt,
} from '@fleet/testing';
import { readRun } from './attempt/attempt-files-of';

/**
 * The supervisor as the first process of a container: its own pid namespace, a user and groups without a name, no
 * privileges, a read-only root. Created with util-linux, which needs root.
 */
const runs = new LocalRuns();
const user = 54_321;
const group = 54_321;
const fleetGroup = 54_000;
const otherUser = 54_322;

const readOnlyRoot = `mount --bind "$0" "$0" && mount -o bind,remount,ro / && exec "$@"`;
const inContainer: readonly string[] = [
  ...['unshare', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'],
  ...['sh', '-c', readOnlyRoot, runs.root],
  ...['setpriv', '--reuid', String(user), '--regid', String(group), '--groups', String(fleetGroup)],
  ...['--no-new-privs', '--bounding-set', '-all', '--inh-caps', '-all'],
];

/**
 * Creates a session's folder as the executor does: owned by another user, with the fleet's group, which new files
 * inherit.
 */
const aPrepared = (script: string, limits: Partial<RunSpec['limits']> = {}): RunSpec => {
  const spec = runs.aSpec(['/bin/sh', '-c', script], limits);
  prepareAttempt(spec);
  for (const folder of [
    spec.sessionFolder,
    join(spec.sessionFolder, 'c001-refine'),
    runningFolder(spec),
    join(runningFolder(spec), attemptFiles.folder),
  ]) {
    chownSync(folder, otherUser, fleetGroup);
    chmodSync(folder, 0o2770);
  }
  return spec;
};

const start = (spec: RunSpec, before: readonly string[] = []): SupervisedAttempt =>
  new SupervisedAttempt(runs, spec, { under: [...before, ...inContainer], umask: '0007', copyOutput: true });

/** The pid on the host of a container's first process: the child of its `unshare`. */
const firstProcess = async (supervisor: SupervisedAttempt): Promise<number> => {
  const outer = String(supervisor.process.pid);
  return eventually('the container', () => {
    const child = readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim();
    return child === '' ? undefined : Number(child);
  });
};

beforeAll(() => {
  if (process.getuid?.() !== 0) throw new Error('in-container suite: needs root, to make containers');
  // A temporary folder is private to its creator; in a cluster the whole group can enter the work root.
  chmodSync(runs.root, 0o755);
});

afterAll(() => runs.dispose());

describe('in a container', () => {
  it('runs as the first process, without a user name, on a read-only root', async () => {
    const spec = aPrepared('id -u; id -G; touch /nowhere || touch here; echo x > "$TMPDIR/scratch" && echo written');
    const { ending } = await start(spec).result();
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    const lines = logOf(spec).toString().split('\n');
    expect(lines.slice(0, 2)).toEqual([String(user), `${String(group)} ${String(fleetGroup)}`]);
    expect(lines).toContain('written');
    expect(readRun(publishedFolder(spec))).toMatchObject({ supervisor: { pid: 1 } });
  });

  it('ends escaped processes of the program before it writes the result', async () => {
    const escaped = 'trap "echo ended > asked; exit" TERM; echo > ready; while :; do sleep 0.05; done';
    const spec = aPrepared(`(env -i setsid sh -c '${escaped}' &); until [ -e ready ]; do sleep 0.05; done; echo over`);
    const { ending } = await start(spec).result();
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(readFileSync(join(publishedFolder(spec), 'asked'), 'utf8')).toBe('ended\n');
  });

  it('is not blocked by zombies of orphans, which are not reaped there', async () => {
    const spec = aPrepared('for i in $(seq 100); do (setsid true &); done; sleep 0.5; echo over');
    expect((await start(spec).result()).ending).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  it('ends as disrupted when the container receives SIGTERM', async () => {
    const spec = aPrepared('trap "" TERM; sleep 600 & wait; sleep 600');
    const supervisor = start(spec);
    await eventually('the program', () => readRun(runningFolder(spec))?.program);
    process.kill(await firstProcess(supervisor), 'SIGTERM');
    const { ending } = await supervisor.result();
    expect(ending).toMatchObject({ kind: 'disrupted', infrastructure: true });
  });

  it('starts the program once when two containers run one attempt', async () => {
    const spec = aPrepared('echo started >> ../count; until [ -e ../../go ]; do sleep 0.05; done');
    const codes = [start(spec).exitCode, start(spec).exitCode];
    expect(await Promise.race(codes)).toBe(85);
    writeFileSync(join(spec.sessionFolder, 'go'), '');
    expect((await Promise.all(codes)).sort()).toEqual([0, 85]);
    expect(readFileSync(join(spec.sessionFolder, 'c001-refine', 'count'), 'utf8')).toBe('started\n');
  });

  it('records the ending of a program that locked its temporary folder', async () => {
    const spec = aPrepared('cd "$TMPDIR" && mkdir locked && touch locked/file && chmod 500 locked');
    expect((await start(spec).result()).ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(readdirSync(join(publishedFolder(spec), attemptFiles.folder))).not.toContain('tmp');
    const unshared = aPrepared('cd "$TMPDIR" && mkdir locked && touch locked/file && chmod 500 locked');
    const supervisor = new SupervisedAttempt(runs, unshared, { under: inContainer });
    expect((await supervisor.result()).ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(supervisor.words()).toContain('EACCES');
  });

  it('keeps a program running while its files are unreachable', async () => {
    const spec = aPrepared('until [ -e ../../go ]; do sleep 0.05; done; echo over');
    const supervisor = start(spec);
    await eventually('the program', () => readRun(runningFolder(spec))?.program);
    const folder = join(runningFolder(spec), attemptFiles.folder);
    chmodSync(folder, 0o000);
    await eventually('the trouble', () => supervisor.words().includes('EACCES'));
    chmodSync(folder, 0o2770);
    writeFileSync(join(spec.sessionFolder, 'go'), '');
    expect((await supervisor.result()).ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(supervisor.words().match(/EACCES/g)!.length).toBeLessThan(4);
  });

  it('leaves only files that another user of the group can move and delete', async () => {
    const spec = aPrepared('umask 077; mkdir -p private/inner; echo x > private/inner/file');
    await start(spec).result();
    const executor = ['--reuid', String(otherUser), '--regid', String(otherUser), '--groups', String(fleetGroup)];
    const folder = publishedFolder(spec);
    execFileSync('setpriv', [...executor, 'mv', folder, `${folder}.moved`]);
    execFileSync('setpriv', [...executor, 'rm', '-r', `${folder}.moved`]);
    expect(existsSync(`${folder}.moved`)).toBe(false);
  });
});

describe('a container without free memory', () => {
  const hierarchy = '/sys/fs/cgroup';
  const isV1 = existsSync(join(hierarchy, 'memory', 'memory.limit_in_bytes'));
  const cgroup = join(hierarchy, isV1 ? 'memory' : '', `fleet-test-${String(process.pid)}`);
  const inside = ['sh', '-c', 'echo $$ > "$0"/cgroup.procs && exec "$@"', cgroup];

  beforeAll(() => {
    mkdirSync(cgroup);
    writeFileSync(join(cgroup, isV1 ? 'memory.limit_in_bytes' : 'memory.max'), String(200 * 1024 * 1024));
  });

  afterAll(async () => {
    await eventually('an empty cgroup', () => readFileSync(join(cgroup, 'cgroup.procs'), 'utf8') === '');
    rmdirSync(cgroup);
  });

  const greedy = `${process.execPath} -e 'const all = []; for (;;) all.push(Buffer.alloc(20e6, 1))'`;

  it('ends at its memory limit when the kernel killed the program', async () => {
    const { ending } = await start(aPrepared(`exec ${greedy}`), inside).result();
    expect(ending).toMatchObject({
      kind: 'memory_limit',
      signal: 'SIGKILL',
      infrastructure: false,
      message: 'phenix.refine was ended by the system: it needed more memory than its limit of 4096 MiB.',
    });
  });

  it('ends so too when a child was killed and the program exits with its own code', async () => {
    const { ending } = await start(aPrepared(`${greedy}; exit 1`), inside).result();
    expect(ending).toMatchObject({ kind: 'memory_limit', exitCode: 1 });
  });

  it('does not blame an earlier out-of-memory kill for a later failure', async () => {
    expect((await start(aPrepared('exit 1'), inside).result()).ending).toMatchObject({ kind: 'exited', exitCode: 1 });
  });

  it('keeps the folder complete', async () => {
    const spec = aPrepared(`${greedy}; exit 1`);
    await start(spec, inside).result();
    expect(readdirSync(publishedFolder(spec)).sort()).toEqual(['.fleet', 'program.log']);
  });
});
