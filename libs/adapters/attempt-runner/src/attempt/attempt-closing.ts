import { errnoOf } from '@fleet/contracts/faults';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import { removeInputs } from './remove-inputs';
import { folderOf, publish, writeResult, type AttemptFolders } from './attempt-files-of';
import type { ResultRecord } from './attempt-records';
import type { Outcome } from './ending-words';
import { makeOwnFolder } from './own-folder';

/** Errors caused by something that a program created at this path, not by the disk. */
const inTheWay: ReadonlySet<string> = new Set([
  ...['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP', 'EACCES', 'EPERM', 'EBUSY'],
  ...['file.is_link', 'file.not_regular'],
]);

const isInTheWay = (error: unknown): boolean => inTheWay.has(errnoOf(error) ?? '');

/**
 * Writes the ending of an attempt whose supervisor can no longer do so, unless one is written, and publishes its
 * folder. Returns the ending on disk. Any process may call it, any number of times, once no process of the attempt is
 * left. Files of the program that block the path are moved aside. If that fails, the attempt still ends, and its ending
 * says so.
 * @param isGenuine whether an existing result counts; one that does not is moved aside
 */
export const closeAttempt = (
  folders: AttemptFolders,
  run: Pick<ResultRecord, 'name' | 'startedAt'>,
  outcome: Outcome,
  now: number,
  isGenuine: (result: ResultRecord) => boolean = () => true,
): ResultRecord => {
  removeInputs(folderOf(folders, isGenuine));
  const ending: AttemptEnding = {
    ...outcome,
    endedAt: new Date(now).toISOString(),
    durationMs: Math.max(0, now - Date.parse(run.startedAt)),
  };
  const result: ResultRecord = { schemaVersion: 1, name: run.name, startedAt: run.startedAt, ending };
  const write = (): ResultRecord => {
    const written = writeResult(folderOf(folders, isGenuine), result, isGenuine);
    publish(folders, isGenuine);
    return written;
  };
  try {
    return write();
  } catch (error) {
    if (!isInTheWay(error)) throw error;
  }
  try {
    // If the folder is missing, it is created again for the ending.
    makeOwnFolder(folderOf(folders, isGenuine));
    return write();
  } catch (error) {
    if (!isInTheWay(error)) throw error;
    return { ...result, ending: { ...ending, message: `${ending.message} ${cannotBePublished(folders, error)}` } };
  }
};

const cannotBePublished = ({ published }: AttemptFolders, error: unknown): string =>
  `Its folder ${published} could not be written: ${error instanceof Error ? error.message : String(error)}. Ask the administrator to check it.`;
