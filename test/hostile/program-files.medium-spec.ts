import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readProcessTable, readResult, readRun } from '@fleet/attempt-runner';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import type { LocalBackend } from '@fleet/local-backend';
import { eventually, LocalRuns, processesOf, publishedFolder, runningFolder } from '@fleet/testing';

/** A program tampers with the files of its supervisor: each run ends with a reported outcome, and no other run is affected. */

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];
const bystanders: ChildProcess[] = [];

afterAll(async () => {
  for (const bystander of bystanders) bystander.kill('SIGKILL');
  await runs.dispose();
});

const success = (name: string, startedAt = new Date().toISOString()): string =>
  JSON.stringify({
    schemaVersion: 1,
    name,
    startedAt,
    ending: {
      kind: 'exited',
      exitCode: 0,
      message: 'forged',
      infrastructure: false,
      endedAt: startedAt,
      durationMs: 1,
    },
  });

const isGone = async (spec: RunSpec): Promise<void> => {
  await eventually('the end of all its processes', () => processesOf(spec).length === 0);
};

const endOf = async (script: string): Promise<{ spec: RunSpec; ending: AttemptEnding; backend: LocalBackend }> => {
  const spec = runs.aSpec(sh(script));
  const backend = runs.aBackend();
  const ending = await runs.endOf(backend, spec);
  await isGone(spec);
  return { spec, ending, backend };
};

describe('instead of its result', () => {
  it.each([
    ['a pipe without a writer', `mkfifo ${attemptFiles.result}`],
    ['a link to a device without an end', `ln -s /dev/zero ${attemptFiles.result}`],
    ['a folder', `mkdir ${attemptFiles.result}`],
    ['a sparse file of 1 TiB', `truncate -s 1T ${attemptFiles.result}`],
  ])('%s blocks no executor: it is moved aside, and the end of the program is reported', async (_, make) => {
    const { ending } = await endOf(
      `${make}; while [ -e ${attemptFiles.result} -o -L ${attemptFiles.result} ]; do sleep 0.05; done; ${make}; exit 3`,
    );
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 3 });
  });

  it('a success that it made up ends it as lost while it runs on', async () => {
    const { spec, ending } = await endOf(`printf '%s' '${success('x')}' > ${attemptFiles.result}; exec sleep 600`);
    expect(ending).toMatchObject({ kind: 'lost', infrastructure: true });
    expect(readResult(publishedFolder(spec))?.ending.message).not.toBe('forged');
  });

  it('a success that it made up counts for nothing, also when it has killed its supervisor', async () => {
    const spec = runs.aSpec(
      sh(`printf '%s' '${success('x')}' > forged; mv forged ${attemptFiles.result}; kill -9 $PPID; exec sleep 600`),
    );
    const backend = runs.aBackend();
    await backend.ensure(spec);
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'lost' });
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'lost' });
    await isGone(spec);
  });

  it('a failure that its supervisor has seen is reported, whatever the program wrote before', async () => {
    const { ending } = await endOf(`printf '%s' '${success('x')}' > ${attemptFiles.result}; exit 3`);
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 3 });
  });
});

describe('instead of its claim', () => {
  const aBystander = async (): Promise<{ pid: number; startTime: number; isAlive: () => boolean }> => {
    const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    bystanders.push(child);
    const pid = child.pid ?? 0;
    const stat = await eventually('the bystander', () => existsSync(`/proc/${String(pid)}/stat`));
    expect(stat).toBe(true);
    const fields =
      readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ') ?? [];
    return { pid, startTime: Number(fields[19]), isAlive: () => child.exitCode === null && child.signalCode === null };
  };

  it.each(['an executor that saw the claim', 'another executor'])(
    'somebody else named there is not ended by %s',
    async (who) => {
      const bystander = await aBystander();
      const identity = JSON.stringify({ pid: bystander.pid, startTime: bystander.startTime });
      const forge =
        `until grep -q '"program"' ${attemptFiles.run}; do sleep 0.05; done; sed -i -z 's/"supervisor": {[^}]*}/"supervisor": ${identity}/; s/"program": {[^}]*}/"program": ${identity}/' ` +
        `${attemptFiles.run}; exec sleep 600`;
      const spec = runs.aSpec(sh(forge));
      const first = runs.aBackend();
      await first.ensure(spec);
      // Its supervisor may see the forgery at once: then it ends the run, and the folder is published.
      await eventually('the forgery', () =>
        [runningFolder(spec), publishedFolder(spec)].some(
          (folder) => readRun(folder)?.supervisor.pid === bystander.pid,
        ),
      );
      const backend = who === 'another executor' ? runs.aBackend() : first;
      await backend.cancel(spec);
      expect(bystander.isAlive()).toBe(true);
      await isGone(spec);
      expect((await backend.find(spec))?.state).toBe('ended');
    },
  );

  it('nothing: the run is not started a second time', async () => {
    const { ending, spec } = await endOf(
      `echo started >> ../count; sleep 0.5; rm -rf ${attemptFiles.folder}; exec sleep 600`,
    );
    expect(ending.infrastructure).toBe(true);
    expect(readFileSync(join(dirname(publishedFolder(spec)), 'count'), 'utf8')).toBe('started\n');
  });
});

describe('a link instead of the folder of its supervisor', () => {
  it('leads no executor into the folder of another session', async () => {
    const victim = join(runs.root, 'victim');
    mkdirSync(join(victim, 'tmp'), { recursive: true });
    for (const name of ['run.json', 'reserve', 'tmp/data', 'supervisor.log'])
      writeFileSync(join(victim, name), 'theirs');
    // After its start is seen, because the starter waits for a claim in that folder.
    const spec = runs.aSpec(
      sh(
        `until [ -e ../started ]; do sleep 0.05; done; mv ${attemptFiles.folder} away; ln -s ${victim} ${attemptFiles.folder}; sleep 3; exit 0`,
      ),
    );
    const backend = runs.aBackend();
    await backend.ensure(spec);
    writeFileSync(join(dirname(publishedFolder(spec)), 'started'), '');
    const ending = await runs.endOf(backend, spec);
    await isGone(spec);
    expect(ending.kind).toBeDefined();
    expect(readdirSync(victim).sort()).toEqual(['reserve', 'run.json', 'supervisor.log', 'tmp']);
    expect(readFileSync(join(victim, 'tmp/data'), 'utf8')).toBe('theirs');
    expect(readFileSync(join(victim, 'run.json'), 'utf8')).toBe('theirs');
  });

  it('and what was prepared under the names of the next attempt is put aside', async () => {
    const victim = join(runs.root, 'victim.txt');
    writeFileSync(victim, 'theirs');
    const spec = runs.aSpec(sh('echo mine'));
    const next = runningFolder(spec);
    mkdirSync(dirname(next), { recursive: true });
    const prepared = `mkdir -p ${next}/.fleet; ln -s ${victim} ${next}/program.log; ln -s ${victim} ${next}/.fleet/supervisor.log; ln -s ${victim} ${next}/.fleet/reserve; ln -s ${runs.root} ${next}/.fleet/tmp`;
    await runs.runToEnd(sh(prepared));
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(readFileSync(victim, 'utf8')).toBe('theirs');
    expect(readFileSync(join(publishedFolder(spec), attemptFiles.log), 'utf8')).toBe('mine\n');
    expect(existsSync(runs.root)).toBe(true);
  });
});

describe('something under its own published name', () => {
  const ways: readonly (readonly [string, string])[] = [
    ['a folder with files', 'mkdir ../a1; echo x > ../a1/x'],
    ['an empty folder', 'mkdir ../a1'],
    ['a file', 'echo x > ../a1'],
    ['a link', 'ln -s /etc ../a1'],
    ['a folder that looks like it', 'cp -r ../a1.running ../a1 2> /dev/null'],
    ['the next attempt', 'mkdir ../a2.running ../a2; echo x > ../a2/x'],
    ['a folder that cannot be written', 'mkdir -p closed/inner; chmod 0 closed; chmod 0555 .. .'],
  ];

  it.each(ways)('%s does not keep its result from being published', async (_, make) => {
    const { spec, ending } = await endOf(`${make}; echo ready; exit 0`);
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(readFileSync(join(publishedFolder(spec), attemptFiles.log), 'utf8')).toBe('ready\n');
    expect(existsSync(runningFolder(spec))).toBe(false);
  });

  it.each(ways)('%s does not keep it from being cancelled', async (_, make) => {
    const spec = runs.aSpec(sh(`${make}; echo ready; exec sleep 600`));
    const backend = runs.aBackend();
    expect(await backend.ensure(spec)).toMatchObject({ state: 'running' });
    await eventually('the program', () => {
      const log = join(runningFolder(spec), attemptFiles.log);
      return existsSync(log) && readFileSync(log, 'utf8') === 'ready\n';
    });
    await backend.cancel(spec);
    await isGone(spec);
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
  });

  it('a file in place of the folder of its cycle does not keep it from being cancelled, by whomever', async () => {
    const move = 'mv ../../c001-refine ../../kept; echo x > ../../c001-refine';
    const spec = runs.aSpec(sh(`until [ -e ../../go ]; do sleep 0.1; done; ${move}; exec sleep 600`));
    await runs.aBackend().ensure(spec);
    writeFileSync(join(spec.sessionFolder, 'go'), '');
    await eventually('the move', () => existsSync(join(spec.sessionFolder, 'kept')));
    const backend = runs.aBackend();
    await backend.cancel(spec);
    await isGone(spec);
    expect((await backend.find(spec))?.state).not.toBe('running');
  });

  it('a link in place of its running folder ends it as lost, and what was there is kept', async () => {
    const { ending, spec } = await endOf('mv ../a1.running ../kept; ln -s /etc ../a1.running; exec sleep 600');
    expect(ending.kind).toBe('lost');
    const names = readdirSync(dirname(publishedFolder(spec)));
    expect(names).toContain('kept');
    expect(
      names.some(
        (name) => name.endsWith('.aside') && readlinkSync(join(dirname(publishedFolder(spec)), name)) === '/etc',
      ),
    ).toBe(true);
  });
});

describe('a process that a program leaves behind', () => {
  it('without a parent, with another group and an empty environment, ends with it', async () => {
    const daemon = `setsid env -i /bin/sh -c '/bin/sh -c "echo \\$\\$ > daemon.pid; exec sleep 600" & exit 0'`;
    const { spec, ending } = await endOf(`${daemon}; until [ -s daemon.pid ]; do sleep 0.05; done; exit 0`);
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    const pid = readFileSync(join(publishedFolder(spec), 'daemon.pid'), 'utf8').trim();
    expect(pid).toMatch(/^\d+$/);
    // By its number, not by its folder: the supervisor too is still there while it exits.
    expect(readProcessTable().map((entry) => String(entry.pid))).not.toContain(pid);
  });
});
