import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from '@fleet/contracts/runs';
import {
  eventually,
  LocalRuns,
  logOf,
  prepareAttempt,
  processesOf,
  publishedFolder,
  runningFolder,
  SupervisedAttempt,
} from '@fleet/testing';
import { askToCancel, claimForCancel } from './attempt/attempt-claims';
import { foldersOf, readResult, readRun } from './attempt/attempt-files-of';

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];

const aPrepared = (script: string, limits: Parameters<LocalRuns['aSpec']>[1] = {}) => {
  const spec = runs.aSpec(sh(script), limits);
  prepareAttempt(spec);
  return spec;
};

const programStarted = (spec: ReturnType<typeof aPrepared>): Promise<unknown> =>
  eventually('the program', () => readRun(runningFolder(spec))?.program);

afterAll(() => runs.dispose());

describe('the supervisor by itself', () => {
  it("exits with 0 whatever the program's exit code, which is in the result", async () => {
    const { ending } = await new SupervisedAttempt(runs, aPrepared('exit 3')).result();
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 3, infrastructure: false });
  });

  it('starts the program once, however many supervisors run: the others exit with 85, or are ended with the program', async () => {
    const spec = aPrepared('echo started >> ../count; sleep 0.5');
    const supervisors = Array.from({ length: 4 }, () => new SupervisedAttempt(runs, spec));
    const codes = await Promise.all(supervisors.map(({ exitCode }) => exitCode));
    // A supervisor that starts only after the program has ended bears the attempt's mark, and is ended with the
    // remaining processes.
    expect(codes.filter((code) => code !== 85 && code !== null)).toEqual([0]);
    expect(readFileSync(join(spec.sessionFolder, 'c001-refine', 'count'), 'utf8')).toBe('started\n');
  });

  it('starts nothing for an attempt that ended before', async () => {
    const spec = aPrepared('echo started >> ../count');
    await new SupervisedAttempt(runs, spec).result();
    expect(await new SupervisedAttempt(runs, spec).exitCode).toBe(85);
    prepareAttempt(spec);
    expect(await new SupervisedAttempt(runs, spec).exitCode).toBe(85);
    expect(existsSync(runningFolder(spec))).toBe(false);
    expect(readFileSync(join(spec.sessionFolder, 'c001-refine', 'count'), 'utf8')).toBe('started\n');
  });

  it('starts nothing for an attempt that was cancelled before', async () => {
    const spec = aPrepared('echo must not run');
    expect(claimForCancel(spec, Date.now())).toMatchObject({ claimedBy: 'cancel' });
    expect(await new SupervisedAttempt(runs, spec).exitCode).toBe(85);
    expect(existsSync(join(runningFolder(spec), attemptFiles.log))).toBe(false);
  });

  it('accepts the result of an executor that published the attempt while the program ended', async () => {
    const ending = { kind: 'lost', infrastructure: true, message: 'taken away', endedAt: new Date().toISOString() };
    const startedAt = new Date().toISOString();
    const result = { schemaVersion: 1, name: 'taken', startedAt, ending: { ...ending, durationMs: 1 } };
    const taken = `sleep 0.3; printf '%s' '${JSON.stringify(result)}' > ${attemptFiles.result}; mv "$PWD" "\${PWD%.running}"`;
    const spec = aPrepared(taken);
    expect(await new SupervisedAttempt(runs, spec).exitCode).toBe(0);
    expect(readResult(publishedFolder(spec))?.ending.message).toBe('taken away');
  });
});

describe('a supervisor that receives SIGTERM', () => {
  it('ends the program as disrupted, with the next action', async () => {
    const spec = aPrepared('setsid sleep 600 & sleep 600');
    const supervisor = new SupervisedAttempt(runs, spec);
    await programStarted(spec);
    supervisor.process.kill('SIGTERM');
    expect((await supervisor.result()).ending).toMatchObject({
      kind: 'disrupted',
      infrastructure: true,
      message: 'phenix.refine was ended because its computer or pod is shutting down.',
      nextAction: 'It is started again elsewhere.',
    });
    expect(processesOf(spec)).toEqual([]);
  });

  it('ends it as cancelled when the session was cancelled', async () => {
    const spec = aPrepared('sleep 600');
    const supervisor = new SupervisedAttempt(runs, spec);
    await programStarted(spec);
    expect(askToCancel(foldersOf(spec), Date.now())).toBe(true);
    supervisor.process.kill('SIGTERM');
    expect((await supervisor.result()).ending).toMatchObject({ kind: 'cancelled', infrastructure: false });
    expect(askToCancel(foldersOf(spec), Date.now())).toBe(false);
  });
});

describe('a copy of the log', () => {
  const copyOutput = true;

  it('is written to standard output while the program runs', async () => {
    const spec = aPrepared('echo first; until [ -e ../../go ]; do sleep 0.05; done; echo second');
    const supervisor = new SupervisedAttempt(runs, spec, { copyOutput });
    let copy = '';
    supervisor.process.stdout?.on('data', (text: Buffer) => (copy += text.toString()));
    await eventually('the first line', () => copy === 'first\n');
    expect(existsSync(publishedFolder(spec))).toBe(false);
    writeFileSync(join(spec.sessionFolder, 'go'), '');
    await supervisor.result();
    expect(copy).toBe('first\nsecond\n');
  });

  it.each([
    ['that nobody reads', () => undefined],
    ['that is closed', (supervisor: SupervisedAttempt) => supervisor.process.stdout?.destroy()],
  ])('%s never blocks the program', async (_, treat) => {
    const spec = aPrepared('head -c 20000000 /dev/zero; echo done >&2', { outputBytes: 1e9 });
    const supervisor = new SupervisedAttempt(runs, spec, { copyOutput });
    treat(supervisor);
    expect((await supervisor.result()).ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(logOf(spec)).toHaveLength(20_000_005);
  });

  it('that is not read does not delay a limit', async () => {
    const spec = aPrepared('yes', { outputBytes: 5e6 });
    const supervisor = new SupervisedAttempt(runs, spec, { copyOutput });
    expect((await supervisor.result()).ending).toMatchObject({ kind: 'output_limit' });
  });

  it('is made only on request', async () => {
    const spec = aPrepared('echo text');
    const supervisor = new SupervisedAttempt(runs, spec);
    let copy = '';
    supervisor.process.stdout?.on('data', (text: Buffer) => (copy += text.toString()));
    await supervisor.result();
    expect(copy).toBe('');
  });
});

describe('the group of a session', () => {
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  const script =
    'umask 077; mkdir -p private/inner; echo x > private/inner/file; chmod 755 private/inner; ln -s /etc link';

  it('has the same access to the files as their owner', async () => {
    const spec = aPrepared(script);
    await new SupervisedAttempt(runs, spec, { umask: '0007' }).result();
    const folder = publishedFolder(spec);
    expect(
      ['private', 'private/inner', 'private/inner/file', '.fleet/result.json', 'program.log'].map((name) =>
        modeOf(join(folder, name)),
      ),
    ).toEqual(['770', '775', '660', '660', '660']);
    expect(modeOf('/etc')).toBe('755');
  });

  it("keeps the program's modes without a umask", async () => {
    const spec = aPrepared(script);
    await new SupervisedAttempt(runs, spec).result();
    expect(modeOf(join(publishedFolder(spec), 'private'))).toBe('700');
  });

  it('rejects an invalid umask before the claim', async () => {
    const spec = aPrepared('true');
    const supervisor = new SupervisedAttempt(runs, spec, { umask: 'rwx' });
    expect(await supervisor.exitCode).toBe(1);
    expect(supervisor.words()).toContain('rwx');
    expect(readRun(runningFolder(spec))).toBeUndefined();
  });
});
