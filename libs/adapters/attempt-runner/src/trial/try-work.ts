import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { trialIdFile, type TrialRecord, type Tried } from './trial-record';

/** Number of syncs; their median time is reported. */
const syncs = 5;

const wordOf = (error: unknown): string => errnoOf(error) ?? String(error);

const tried = (what: Tried['what'], does: () => void): Tried => {
  try {
    does();
    return { what, result: 'ok' };
  } catch (error) {
    return { what, result: wordOf(error) };
  }
};

/** Content of the file that the executor wrote. */
const readTrialId = (folder: string): string => {
  try {
    return readFileSync(join(folder, trialIdFile), 'utf8').slice(0, 200);
  } catch (error) {
    return wordOf(error);
  }
};

const syncMsIn = (folder: string): number => {
  const file = openSync(join(folder, 'synced'), 'wx');
  const tookMs: number[] = [];
  try {
    for (let done = 0; done < syncs; done += 1) {
      writeSync(file, 'x');
      const start = performance.now();
      fsyncSync(file);
      tookMs.push(performance.now() - start);
    }
  } finally {
    closeSync(file);
  }
  return tookMs.sort((a, b) => a - b)[Math.floor(syncs / 2)] ?? 0;
};

const aheadMsIn = (folder: string): number => {
  const before = Date.now();
  writeFileSync(join(folder, 'time'), 'x');
  return statSync(join(folder, 'time')).mtimeMs - before;
};

const figuresOf = (folder: string): Pick<TrialRecord, 'syncMs' | 'serverAheadMs'> => ({
  syncMs: syncMsIn(folder),
  serverAheadMs: aheadMsIn(folder),
});

/** Creating a file that exists must fail. */
const makeTwice = (file: string): void => {
  writeFileSync(file, '', { flag: 'wx' });
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return;
    throw error;
  }
  throw new Error('the second one was not refused');
};

/** Tests what a program can do in its folder of the work volume, in a subfolder that is removed again. */
export const tryWork = (root: string): Pick<TrialRecord, 'told' | 'work' | 'syncMs' | 'serverAheadMs'> => {
  const trialId = readTrialId(root);
  let folder: string;
  try {
    folder = mkdtempSync(join(root, 'tried-'));
  } catch (error) {
    return { told: trialId, work: [{ what: 'write', result: wordOf(error) }] };
  }
  try {
    const file = join(folder, 'file');
    const work = [
      tried('write', () => writeFileSync(file, 'x')),
      tried('hard_links', () => linkSync(file, `${file}.second`)),
      tried('rename', () => {
        mkdirSync(join(folder, 'a1.running'));
        renameSync(join(folder, 'a1.running'), join(folder, 'a1'));
      }),
      tried('exclusive', () => makeTwice(join(folder, 'lock'))),
    ];
    return { told: trialId, work, ...(work.every(({ result }) => result === 'ok') && figuresOf(folder)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
