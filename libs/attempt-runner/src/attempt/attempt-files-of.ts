import { existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attemptFiles, runningSuffix } from '@fleet/contracts';
import type { RunPlace } from '@fleet/ports';
import { errorCode, readJson, syncFolder, writeOnce } from './exclusive-file';
import {
  isResultRecord,
  isRunRecord,
  isSpecRecord,
  type ResultRecord,
  type RunRecord,
  type SpecRecord,
} from './attempt-records';

/** Absolute paths of an attempt's two folders: of which there is one at a time. */
export interface AttemptPlace {
  readonly published: string;
  readonly running: string;
}

export const placeOf = (run: Pick<RunPlace, 'sessionFolder' | 'attemptFolder'>): AttemptPlace => {
  const published = join(run.sessionFolder, run.attemptFolder);
  return { published, running: `${published}${runningSuffix}` };
};

/** Reads a record of a folder. A damaged one is put aside, so that what it said can be decided again. */
const readRecord = <T>(path: string, isRecord: (value: unknown) => value is T): T | undefined => {
  const content = readJson(path);
  if (content === undefined) return undefined;
  if (content !== 'damaged' && isRecord(content.value)) return content.value;
  renameSync(path, `${path}.damaged`);
  return undefined;
};

export const readSpec = (folder: string): SpecRecord | undefined =>
  readRecord(join(folder, attemptFiles.spec), isSpecRecord);
export const readRun = (folder: string): RunRecord | undefined =>
  readRecord(join(folder, attemptFiles.run), isRunRecord);
export const readResult = (folder: string): ResultRecord | undefined =>
  readRecord(join(folder, attemptFiles.result), isResultRecord);

/** Writes how a run ended, unless it is written already; returns what is written. */
export const writeResult = (folder: string, result: ResultRecord): ResultRecord => {
  writeOnce(join(folder, attemptFiles.result), result);
  return readResult(folder) ?? result;
};

/** Gives the folder its final name. Somebody else may do so at the same moment: one rename wins, the other finds it done. */
export const publish = (place: AttemptPlace): void => {
  try {
    renameSync(place.running, place.published);
  } catch (error) {
    const code = errorCode(error);
    if (!existsSync(place.published) || !['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code ?? '')) throw error;
    return;
  }
  syncFolder(dirname(place.published));
};
