import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { link, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Fault } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import type { PlannedFork } from '@fleet/ports';
import { aCycle, aFile, aRequest, aResult, aSession, anId, useFolder } from '@fleet/testing';
import { pinOf } from '@fleet/untrusted-files';
import type { Carrying } from './carried-file';
import { carryFiles } from './carried-files';

describe('files that a fork inherits', () => {
  const root = useFolder();
  let parent: Session;
  let fork: PlannedFork;
  const cannot = (): Promise<void> => Promise.reject(Object.assign(new Error('EXDEV'), { code: 'EXDEV' }));
  const inParent = (name: string) => join(parent.folder, name);
  const inFork = (name: string) => join(fork.folder, name);
  const model = 'c001-refine/a1/model.pdb';
  const log = 'c001-refine/a1/program.log';
  const deep = 'c001-refine/a1/maps/2mfo.ccp4';

  beforeEach(async () => {
    const [id, forkId] = [anId(), anId()];
    parent = aSession({ id, folder: join(root, 'mx1', id) });
    fork = { id: forkId, folder: join(root, 'mx1', forkId), isKeyed: false };
    for (const name of [model, log, deep]) {
      mkdirSync(dirname(inParent(name)), { recursive: true });
      writeFileSync(inParent(name), `content of ${name}`);
    }
    const outputs = await Promise.all(
      [model, deep].map(async (name) => {
        const file = await open(inParent(name));
        const pin = await pinOf(file);
        await file.close();
        return aFile({ path: inParent(name), size: pin.size, cycle: 1, pin });
      }),
    );
    parent = { ...parent, request: aRequest({ proposal: 'mx1' }), cycles: [aCycle({ result: aResult({ outputs }) })] };
  });

  const refusal = async (nameAgain: Carrying['nameAgain'] = link): Promise<unknown> => {
    const error: unknown = await carryFiles(root, parent, 1, fork, nameAgain).catch((reason: unknown) => reason);
    // Nothing of it remains.
    expect(existsSync(fork.folder)).toBe(false);
    return error;
  };

  it('are hard links to the same files, and outlive the folder of the session', async () => {
    chmodSync(inParent('c001-refine'), 0o750);
    const pins = await carryFiles(root, parent, 1, fork);
    expect(pins.size).toBe(0);
    expect(statSync(inFork(model)).ino).toBe(statSync(inParent(model)).ino);
    expect(statSync(inFork('c001-refine')).mode & 0o777).toBe(0o750);
    rmSync(parent.folder, { recursive: true });
    for (const name of [model, log, deep]) expect(readFileSync(inFork(name), 'utf8')).toBe(`content of ${name}`);
  });

  it('are copies with their own pins if hard links are impossible', async () => {
    const pins = await carryFiles(root, parent, 1, fork, cannot);
    expect([...pins.keys()]).toEqual([inFork(model), inFork(log), inFork(deep)]);
    expect(pins.get(inFork(model))?.inode).toBe(String(statSync(inFork(model)).ino));
    expect(pins.get(inFork(model))?.sha256).toBe(parent.cycles[0]?.result?.outputs[0]?.pin?.sha256);
    writeFileSync(inParent(model), 'written over');
    expect(readFileSync(inFork(model), 'utf8')).toBe(`content of ${model}`);
  });

  it('replace what an earlier try has left', async () => {
    await carryFiles(root, parent, 1, fork, cannot);
    await carryFiles(root, parent, 1, fork);
    expect(statSync(inFork(model)).ino).toBe(statSync(inParent(model)).ino);
  });

  it('are complete for each of several requests that create the fork of a key, with the same pins', async () => {
    const keyed = { ...fork, isKeyed: true };
    const all = await Promise.all([1, 2, 3].map(() => carryFiles(root, parent, 1, keyed, cannot)));
    const inodes = all.map((pins) => [...pins.values()].map(({ inode }) => inode));
    expect(new Set(inodes.map(String)).size).toBe(1);
    expect(inodes[0]).toEqual([model, log, deep].map((name) => String(statSync(inFork(name)).ino)));
    for (const name of [model, log, deep]) expect(readFileSync(inFork(name), 'utf8')).toBe(`content of ${name}`);
    expect(readdirSync(dirname(inFork(model))).toSorted()).toEqual(['maps', 'model.pdb', 'program.log']);
  });

  it('stay for a fork with a key when another request is rejected', async () => {
    const keyed = { ...fork, isKeyed: true };
    await carryFiles(root, parent, 1, keyed);
    rmSync(inParent(deep));
    await expect(carryFiles(root, parent, 1, keyed)).rejects.toMatchObject({ code: 'fork.file_changed' });
    for (const name of [model, log, deep]) expect(existsSync(inFork(name))).toBe(true);
  });

  it('are copied again if an earlier copy is incomplete', async () => {
    await carryFiles(root, parent, 1, fork, cannot);
    writeFileSync(inFork(model), 'content of');
    const pins = await carryFiles(root, parent, 1, fork, cannot);
    expect(readFileSync(inFork(model), 'utf8')).toBe(`content of ${model}`);
    expect(pins.get(inFork(model))?.inode).toBe(String(statSync(inFork(model)).ino));
  });

  it('are rejected if one changes between its check and its copy, and nothing remains', async () => {
    const changes = (path: string): Promise<void> => {
      writeFileSync(path, readFileSync(path, 'utf8').toUpperCase());
      return cannot();
    };
    expect(await refusal(changes)).toMatchObject({ code: 'fork.file_changed' });
  });

  it('are rejected for the first reason, even if the cleanup fails', async () => {
    const inTheWay = async (path: string, name: string): Promise<void> => {
      await link(path, name);
      rmSync(inParent(deep));
      rmSync(inFork(model), { force: true });
      mkdirSync(join(inFork(model), 'of somebody else'), { recursive: true });
    };
    const error: unknown = await carryFiles(root, parent, 1, fork, inTheWay).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'storage.unwritable', message: expect.stringContaining('EISDIR') as unknown });
    const { errors } = (error as Fault).options.cause as AggregateError;
    expect(errors).toHaveLength(2);
  });

  it('may lack a log, which no program needs', async () => {
    rmSync(inParent(log));
    const other = aCycle({ cycle: 2, result: aResult({ outcome: 'failed' }) });
    // The second cycle's whole folder is missing.
    await carryFiles(root, { ...parent, cycles: [...parent.cycles, other] }, 2, fork);
    expect(existsSync(inFork(model))).toBe(true);
    expect(existsSync(inFork(log))).toBe(false);
    expect(existsSync(inFork('c002-refine'))).toBe(false);
  });

  const becomesLink = (): void => {
    rmSync(inParent(model));
    writeFileSync(join(root, 'secret'), `content of ${model}`);
    symlinkSync(join(root, 'secret'), inParent(model));
  };
  const folderBecomesLink = (): void => {
    rmSync(inParent('c001-refine'), { recursive: true });
    mkdirSync(join(root, 'elsewhere/a1'), { recursive: true });
    writeFileSync(join(root, 'elsewhere/a1/model.pdb'), `content of ${model}`);
    symlinkSync(join(root, 'elsewhere'), inParent('c001-refine'));
  };
  const isGone = (): void => rmSync(inParent(deep));
  const isChanged = (): void => writeFileSync(inParent(deep), `CONTENT OF ${deep}`);
  const hasGrown = (): void => writeFileSync(inParent(model), 'x'.repeat(100));
  it.each([
    ['is a link', becomesLink, /symbolic link/],
    ['lies behind a link', folderBecomesLink, /symbolic link/],
    ['is gone', isGone, /no longer exists/],
    ['was changed at the same length', isChanged, /content has changed/],
    ['has grown', hasGrown, /now has 100/],
  ])('are rejected if one %s, and nothing remains', async (_, change, words) => {
    change();
    const error = await refusal();
    expect(error).toMatchObject({
      code: 'fork.file_changed',
      kind: 'conflict',
      message: expect.stringMatching(words) as unknown,
    });
  });

  it('are rejected if a record names a path elsewhere', async () => {
    const path = `${parent.folder}/../other/model.pdb`;
    parent = { ...parent, cycles: [aCycle({ result: aResult({ outputs: [aFile({ path, cycle: 1 })] }) })] };
    expect(await refusal()).toMatchObject({ code: 'file.outside_root' });
  });

  it("are rejected if the fork's folder is reached through a link", async () => {
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), fork.folder);
    await expect(carryFiles(root, parent, 1, fork)).rejects.toMatchObject({ code: 'file.outside_root' });
    expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
  });
});
