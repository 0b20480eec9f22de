import * as fs from 'node:fs';
import promises from 'node:fs/promises';
import { join } from 'node:path';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { eventually, LocalRuns, prepareAttempt, publishedFolder } from '@fleet/testing';
import { foldersOf, readResult } from '../attempt/attempt-files-of';
import { replaceFile } from '../attempt/exclusive-file';
import { Supervision, type SupervisionOptions } from './supervision';

const runs = new LocalRuns();
afterAll(() => runs.dispose());

const aPrepared = (script: string): RunSpec => {
  const spec = runs.aSpec(['/bin/sh', '-c', script]);
  prepareAttempt(spec);
  return spec;
};
const supervise = (spec: RunSpec, more: Partial<SupervisionOptions> = {}): Supervision =>
  new Supervision(foldersOf(spec), { copyOutput: false, shareWithGroup: false, ...more });
/** A killed process stays in /proc until the kernel has removed it. */
const gone = (pid: number): Promise<boolean> =>
  eventually('the end of the program', () => !fs.existsSync(`/proc/${String(pid)}`));

describe("an attempt's spec that the supervisor cannot see yet", () => {
  it('is waited for', async () => {
    const spec = runs.aSpec(['/bin/true']);
    // When this returns a promise, the supervisor has checked once and found nothing.
    const run = supervise(spec).run();
    prepareAttempt(spec);
    expect(await run).toBe('recorded');
  });

  it('is named in the error when it never appears', async () => {
    const spec = runs.aSpec(['/bin/true']);
    await expect(supervise(spec, { specTimeoutMs: 0 }).run()).rejects.toThrow('no readable .fleet/spec.json');
  });
});

describe('SMILES of a ligand', () => {
  it('are in a file while the program runs, and afterwards neither in its folder nor among its outputs', async () => {
    const command = ['/bin/sh', '-c', 'cp "${0#--smiles=}" seen.txt', '--smiles=LIG.smi'];
    const compoundFile = { argument: 3, flag: '--smiles', name: 'LIG.smi', smiles: 'CC(=O)O' };
    const spec = { ...runs.aSpec(command), compoundFile };
    prepareAttempt(spec);
    expect(await supervise(spec).run()).toBe('recorded');
    const folder = publishedFolder(spec);
    expect(readResult(folder)?.ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(fs.readFileSync(join(folder, 'seen.txt'), 'utf8')).toBe('CC(=O)O\n');
    expect(fs.existsSync(join(folder, attemptFiles.inputs))).toBe(false);
  });
});

describe('a full disk right after the program has started', () => {
  it('leaves no unsupervised program behind', async () => {
    const spec = aPrepared('sleep 600 & sleep 600');
    let started = 0;
    const full = (_path: string, record: unknown): never => {
      started = (record as { program: { pid: number } }).program.pid;
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    expect(await supervise(spec, { replaceFile: full }).run()).toBe('recorded');
    expect(readResult(publishedFolder(spec))?.ending).toMatchObject({ kind: 'disk_full', infrastructure: true });
    expect(started).toBeGreaterThan(0);
    await gone(started);
  });
});

describe('an attempt that is closed by another executor right after its program has started', () => {
  it('loses its program, and its result is that of the other executor', async () => {
    const spec = aPrepared('sleep 600');
    let started = 0;
    const late: typeof replaceFile = (path, record) => {
      started = (record as { program: { pid: number } }).program.pid;
      fs.renameSync(foldersOf(spec).running, foldersOf(spec).published);
      replaceFile(path, record);
    };
    expect(await supervise(spec, { replaceFile: late }).run()).toBe('elsewhere');
    await gone(started);
  });
});

describe('the output of a program', () => {
  /** Synced paths, and whether the result existed before. */
  const synced: { readonly path: string; readonly resultWasThere: boolean }[] = [];
  const { open } = promises;
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const noteSyncs = (
    spec: RunSpec,
    { fail, tell = () => undefined }: { fail?: string; tell?: () => void } = {},
  ): void => {
    synced.length = 0;
    jest.spyOn(promises, 'open').mockImplementation(async (path, ...more) => {
      tell();
      const handle = await open(path, ...more);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        const name = String(path).slice(foldersOf(spec).running.length + 1);
        if (name === fail) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
        synced.push({ path: name, resultWasThere: fs.existsSync(join(foldersOf(spec).running, attemptFiles.result)) });
      };
      return handle;
    });
  };
  const script =
    'echo log; mkdir -p maps/inner; echo x > model.pdb; echo y > maps/inner/map.ccp4; ln -s /etc/passwd link';

  it('is synced before its result', async () => {
    const spec = aPrepared(script);
    noteSyncs(spec);
    await supervise(spec).run();
    expect(synced.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['model.pdb', 'program.log', 'maps/inner/map.ccp4', 'maps/inner', 'maps', '']),
    );
    expect(synced.filter(({ path }) => path === 'link')).toEqual([]);
    expect(synced.filter(({ resultWasThere }) => resultWasThere)).toEqual([]);
  });

  it.each([
    ['of a program that crashed', 'kill -SEGV $$', true],
    ['of a program that was killed from outside, and is started again,', 'kill -KILL $$', false],
  ])('%s is synced or not', async (_, end, isKept) => {
    const spec = aPrepared(`${script}; ${end}`);
    noteSyncs(spec);
    await supervise(spec).run();
    expect(synced.some(({ path }) => path === 'program.log')).toBe(isKept);
  });

  it('that cannot be synced costs no result, and is logged', async () => {
    const spec = aPrepared(script);
    noteSyncs(spec, { fail: 'model.pdb' });
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await supervise(spec).run()).toBe('recorded');
    expect(readResult(publishedFolder(spec))?.ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(logged.mock.calls.flat().join(' ')).toContain('model.pdb may not survive');
  });

  it('is not synced when the computer is about to shut down', async () => {
    const spec = aPrepared(script);
    const supervision = supervise(spec);
    noteSyncs(spec, {
      tell: () => supervision.requestStop(),
    });
    await supervision.run();
    expect(synced.length).toBeLessThan(8);
    expect(synced.filter(({ path }) => path.endsWith('.pdb') || path.endsWith('.ccp4')).length).toBeLessThan(2);
    expect(readResult(publishedFolder(spec))?.ending).toMatchObject({ kind: 'exited', exitCode: 0 });
  });
});
