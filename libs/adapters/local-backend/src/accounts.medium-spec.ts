// @needs root @needs linux
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, LocalRuns, logOf, publishedFolder, runningFolder } from '@fleet/testing';
import { attemptFiles } from '@fleet/contracts/runs';

const mine = { uid: 54_321, gid: 54_331 };
const other = { uid: 54_322, gid: 54_332 };
const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];

beforeAll(() => {
  if (process.getuid?.() !== 0) throw new Error('accounts suite: needs root, to give programs another account');
  // A temporary folder is private to its creator.
  chmodSync(runs.root, 0o711);
});
afterAll(() => runs.dispose());

/** A run of this proposal; its session is in the proposal's folder, as at a facility. */
const aSpec = (proposal: string, script: string) => {
  const spec = runs.aSpec(sh(script), {}, join(runs.root, proposal));
  return { ...spec, owner: { ...spec.owner, proposal } };
};
const backend = () => runs.aBackend(16, 1e6, ({ proposal }) => (proposal === 'mx1' ? mine : other));

describe('programs of a proposal with an account', () => {
  it('run under it, in its group only, without a way to more privileges', async () => {
    const spec = aSpec(
      'mx1',
      'id -u; id -G; grep -E "^(NoNewPrivs|CapEff|CapBnd)" /proc/self/status; echo made > made',
    );
    expect(await runs.endOf(backend(), spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    const lines = logOf(spec).toString().split('\n');
    expect(lines.slice(0, 2)).toEqual([String(mine.uid), String(mine.gid)]);
    expect(lines).toEqual(
      expect.arrayContaining(['NoNewPrivs:\t1', 'CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000']),
    );
    const made = join(publishedFolder(spec), 'made');
    expect(readFileSync(made, 'utf8')).toBe('made\n');
    expect(statSync(made)).toMatchObject({ uid: mine.uid, gid: mine.gid });
  });

  it("cannot reach another proposal's files or the services' own", async () => {
    const theirs = aSpec('mx2', 'echo secret > result');
    expect(await runs.endOf(backend(), theirs)).toMatchObject({ exitCode: 0 });
    const secret = join(runs.root, 'secret');
    mkdirSync(secret, { mode: 0o700 });
    writeFileSync(join(secret, 'url'), 'redis://', { mode: 0o600 });
    const paths = [join(publishedFolder(theirs), 'result'), join(secret, 'url'), '/proc/1/environ'];
    const spec = aSpec(
      'mx1',
      `${paths.map((path) => `cat "${path}" && echo reached`).join('; ')}; ls "${runs.root}" || true`,
    );
    expect(await runs.endOf(backend(), spec)).toMatchObject({ exitCode: 0 });
    const log = logOf(spec).toString();
    expect(log).not.toMatch(/secret\n|redis:|reached/);
    expect(log.match(/Permission denied/g)).toHaveLength(4);
  });

  it('are cancelled without leftovers', async () => {
    const spec = aSpec('mx1', 'echo > started; trap "" TERM; sleep 600');
    const executor = backend();
    await executor.ensure(spec);
    await eventually('the program', () => existsSync(join(runningFolder(spec), 'started')));
    await executor.cancel(spec);
    expect(await runs.endOf(executor, spec)).toMatchObject({ kind: 'cancelled' });
    expect(existsSync(join(publishedFolder(spec), attemptFiles.log))).toBe(true);
  });

  it('are not started if no account is known', async () => {
    const nobodys = runs.aBackend(16, 1e6, () => {
      throw new Error('the owner is unknown');
    });
    await expect(nobodys.ensure(aSpec('mx1', 'true'))).rejects.toThrow('the owner is unknown');
  });
});
