import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, type RunInput, type RunSpec } from '@fleet/contracts/runs';
import type { AttemptEnding, FilePin } from '@fleet/contracts/sessions';
import { eventually, LocalRuns, logOf, publishedFolder, runningFolder } from '@fleet/testing';
import { openUnder, pinOf } from '@fleet/untrusted-files';

const runs = new LocalRuns();
const root = join(realpathSync(runs.root), 'data');
const secret = join(realpathSync(runs.root), 'secret.mtz');
let serial = 0;
let path: string;

beforeAll(() => writeFileSync(secret, 'secret!!'));
beforeEach(() => {
  serial += 1;
  mkdirSync(join(root, `visit${String(serial)}`), { recursive: true });
  path = join(root, `visit${String(serial)}`, 'data.mtz');
  writeFileSync(path, 'accepted');
});
afterAll(() => runs.dispose());

const accept = async (): Promise<FilePin> => {
  const file = await openUnder(root, path);
  const pin = await pinOf(file);
  await file.close();
  return pin;
};

const aRun = (pin?: FilePin, changes: Partial<RunInput> = {}): RunSpec => ({
  ...runs.aSpec(['/bin/sh', '-c', 'cat "$0"', path]),
  inputs: [{ argument: 3, path, root, name: '1/data.mtz', ...(pin !== undefined && { pin }), ...changes }],
});

const endOf = (spec: RunSpec): Promise<AttemptEnding> => runs.endOf(runs.aBackend(), spec);

/** Nothing of the file was copied to where it could be published. */
const leftBy = (spec: RunSpec): readonly string[] =>
  readdirSync(publishedFolder(spec), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('data.mtz'));

describe('an input that was swapped after it was accepted', () => {
  it.each([
    [
      'for a link',
      (): void => {
        rmSync(path);
        symlinkSync(secret, path);
      },
      'it has been replaced by a symbolic link since it was accepted',
    ],
    [
      'with its folder, for a link',
      (): void => {
        const folder = join(root, `visit${String(serial)}`);
        renameSync(folder, `${folder}-away`);
        mkdirSync(`${folder}-outside`);
        linkSync(secret, join(`${folder}-outside`, 'data.mtz'));
        symlinkSync(`${folder}-outside`, folder);
      },
      'a folder on the way to it has been replaced by a symbolic link or a file since it was accepted',
    ],
    [
      'for another file of the same length',
      (): void => {
        rmSync(path);
        linkSync(secret, path);
      },
      'its content has changed, at the same length',
    ],
    ['by more content', (): void => writeFileSync(path, 'more than accepted'), 'it had 8 bytes and now has 18'],
    [
      'for a folder',
      (): void => {
        rmSync(path);
        mkdirSync(path);
      },
      'it is no longer a regular file',
    ],
    ['for nothing', (): void => rmSync(path), 'it no longer exists, or not where the program runs'],
  ])('%s is refused, and nothing of it is copied', async (_, swap, reason) => {
    const pin = await accept();
    swap();
    const spec = aRun(pin);
    expect(await endOf(spec)).toMatchObject({
      kind: 'not_started',
      infrastructure: false,
      message: `phenix.refine was not started because of ${path}: ${reason}.`,
      nextAction: 'The next decision excludes it; to use it in its present state, submit it in a new session.',
    });
    expect(logOf(spec).toString()).toBe('');
    expect(leftBy(spec)).toEqual([]);
  });

  it('is accepted when it was rewritten with the same content', async () => {
    const pin = await accept();
    rmSync(path);
    writeFileSync(path, 'accepted');
    const spec = aRun(pin);
    expect(await endOf(spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(logOf(spec).toString()).toBe('accepted');
    expect(leftBy(spec)).toEqual([]);
  });

  it('is accepted unchecked when an older release recorded no digest', async () => {
    const spec = aRun();
    expect(await endOf(spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  it('is reported when it is outside every data folder', async () => {
    const spec = { ...aRun(), inputs: [{ argument: 3, path, name: '1/data.mtz' }] };
    expect(await endOf(spec)).toMatchObject({
      kind: 'not_started',
      message: expect.stringContaining('outside the data folders') as string,
    });
  });
});

describe('a very large input', () => {
  const tebibyte = 2 ** 40;

  it('uses no disk space for its holes, and a cancel stops the copy', async () => {
    truncateSync(path, tebibyte);
    const spec = aRun(await accept());
    const backend = runs.aBackend();
    await backend.ensure(spec);
    await eventually('the copy', () => existsSync(join(runningFolder(spec), attemptFiles.inputs, '1/data.mtz')));
    await backend.cancel(spec);
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
    expect(leftBy(spec)).toEqual([]);
  });

  it('ends at the time limit', async () => {
    truncateSync(path, tebibyte);
    const pin = await accept();
    const spec = { ...aRun(pin), limits: { ...aRun().limits, wallClock: 1 } };
    expect(await endOf(spec)).toMatchObject({
      kind: 'wall_clock_limit',
      message: expect.stringContaining('could not be copied within its time limit of 1 s') as string,
    });
  });
});
