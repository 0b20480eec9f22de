import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalRuns, logOf, publishedFolder, runningFolder } from '@fleet/testing';

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];

afterAll(() => runs.dispose());

describe('a run that ends by itself', () => {
  it('runs in its own folder and is published with its log and its ending', async () => {
    const spec = runs.aSpec(
      sh('until [ -e ../../go ]; do sleep 0.05; done; pwd; echo out; echo err >&2; echo data > refined.pdb'),
    );
    expect((await runs.aBackend().ensure(spec)).state).toBe('running');
    writeFileSync(join(spec.sessionFolder, 'go'), '');
    const ending = await runs.endOf(runs.aBackend(), spec);
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 0, infrastructure: false });
    expect(logOf(spec).toString()).toBe(`${runningFolder(spec)}\nout\nerr\n`);
    expect(readdirSync(publishedFolder(spec)).sort()).toEqual(['.fleet', 'program.log', 'refined.pdb']);
    expect(existsSync(runningFolder(spec))).toBe(false);
  });

  it('leaves an empty log when it prints nothing', async () => {
    const spec = runs.aSpec(sh('true'));
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(logOf(spec)).toHaveLength(0);
  });

  it('with exit code 1 is left to the log analysis', async () => {
    expect(await runs.runToEnd(sh('echo Sorry: no data; exit 1'))).toMatchObject({
      kind: 'exited',
      exitCode: 1,
      infrastructure: false,
      message: 'phenix.refine ended with exit code 1.',
    });
  });

  it('keeps bytes that are not UTF-8', async () => {
    const spec = runs.aSpec(sh(String.raw`printf '\377\376\300ok\n'`));
    await runs.endOf(runs.aBackend(), spec);
    expect(logOf(spec)).toEqual(Buffer.from([0xff, 0xfe, 0xc0, 0x6f, 0x6b, 0x0a]));
  });

  it('crashes by a program error for such a signal, also through a shell', async () => {
    const crash = { kind: 'signalled', signal: 'SIGSEGV', infrastructure: false };
    expect(await runs.runToEnd(sh('kill -SEGV $$'))).toMatchObject(crash);
    expect(await runs.runToEnd(sh("sh -c 'kill -SEGV $$'; exit $?"))).toMatchObject({ ...crash, exitCode: 139 });
  });

  it('is an infrastructure failure when it was killed from outside', async () => {
    for (const signal of ['KILL', 'TERM', 'HUP']) {
      expect(await runs.runToEnd(sh(`kill -${signal} $$`))).toMatchObject({
        kind: 'signalled',
        signal: `SIG${signal}`,
        infrastructure: true,
      });
    }
  });

  it('reports its end without polling', async () => {
    const backend = runs.aBackend();
    for (let turn = 0; turn < 3; turn += 1) {
      const spec = runs.aSpec(sh('sleep 0.2; echo done'));
      const ended = new Promise<void>((resolve) =>
        backend.onChanged((name) => {
          if (name === spec.name) resolve();
        }),
      );
      await backend.ensure(spec);
      await ended;
      expect(logOf(spec).toString()).toBe('done\n');
    }
  });
});

describe('a program that cannot start', () => {
  it('reports what is missing', async () => {
    expect(await runs.runToEnd(['/no/such/phenix.refine'])).toMatchObject({
      kind: 'not_started',
      infrastructure: false,
    });
    const file = join(runs.root, 'no-program');
    writeFileSync(file, 'text');
    expect((await runs.runToEnd([file])).message).toContain('may not be executed');
    chmodSync(file, 0o755);
    writeFileSync(file, '#!/no/such/interpreter\n');
    expect((await runs.runToEnd([file])).message).toContain('interpreter');
  });

  it('is reported for an empty command and for an argument with a NUL', async () => {
    expect(await runs.runToEnd([])).toMatchObject({ kind: 'not_started' });
    expect(await runs.runToEnd(['/bin/echo', 'a\0b'])).toMatchObject({ kind: 'not_started' });
  });
});
