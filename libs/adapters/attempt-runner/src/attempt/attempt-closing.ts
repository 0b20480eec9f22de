import { errnoOf } from '@fleet/contracts/faults';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import { removeInputs } from './remove-inputs';
import { folderOf, publish, writeResult, type AttemptFolders } from './attempt-files-of';
import type { ResultRecord } from './attempt-records';
import type { Outcome } from './ending-words';
import { makeOwnFolder } from './own-folder';

/** What says that a program has put something in the way, and not that the disk is in trouble. */
const inTheWay: ReadonlySet<string> = new Set([
  ...['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP', 'EACCES', 'EPERM', 'EBUSY'],
  ...['file.is_link', 'file.not_regular'],
]);

const isInTheWay = (error: unknown): boolean => inTheWay.has(errnoOf(error) ?? '');

/**
 * Writes how an attempt ended whose supervisor cannot do so any more, unless that is written already, and publishes its
 * folder. Returns what is written. Anybody may do so, any number of times, once no process of the attempt is left.
 * What a program has put in the way is put aside; where that cannot be either, the attempt ends all the same, and its ending says so.
 * @param isGenuine whether a result that is there counts; one that does not is put aside
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
    // Where nothing is left of it, there is a folder again, for its ending.
    makeOwnFolder(folderOf(folders, isGenuine));
    return write();
  } catch (error) {
    if (!isInTheWay(error)) throw error;
    return { ...result, ending: { ...ending, message: `${ending.message} ${cannotBePublished(folders, error)}` } };
  }
};

const cannotBePublished = ({ published }: AttemptFolders, error: unknown): string =>
  `Its folder ${published} could not be written: ${error instanceof Error ? error.message : String(error)}. Ask the administrator to check it.`;
