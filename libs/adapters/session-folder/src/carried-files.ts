import { chmod, chown, link, lstat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { failureText, Fault, isFault } from '@fleet/contracts/faults';
import type { FilePin, Session } from '@fleet/contracts/sessions';
import { carriedFiles, type CarriedFile } from '@fleet/files';
import type { PlannedFork } from '@fleet/ports';
import { carryFile, changed, isThere, type Carrying } from './carried-file';
import { asFault, outside } from './folder-faults';
import { sessionFolderPath } from './folder-names';
import { holdExisting, holdFolder, removeEmpty, type HeldFolder } from './held-folder';

/** Copies the permissions of the original folder, so that programs of the fork can read its content. */
const openLike = async (source: string, folder: HeldFolder): Promise<void> => {
  const [like, own] = [await lstat(source), await lstat(folder.at('.'))];
  if (!like.isDirectory()) throw changed(source, 'it is no longer a folder');
  if (like.gid !== own.gid) await chown(folder.at('.'), own.uid, like.gid);
  await chmod(folder.at('.'), (like.mode & 0o7777) | 0o700);
};

/** Source and target of carried files. */
interface CarryTask extends Carrying {
  readonly proposal: string;
  readonly sessionId: string;
  readonly forkId: string;
}

/** What was created so far, for a cleanup. */
interface Made {
  readonly files: { readonly steps: readonly string[]; readonly name: string }[];
  /** For each opened folder, the folders created for it, the deepest first. */
  readonly folders: (readonly string[])[];
}

/** Opens a folder below the fork's own; creates what is missing. The caller closes it. */
const holdIn = async (task: CarryTask, steps: readonly string[], made: Made): Promise<HeldFolder> => {
  const { workRoot, proposal, sessionId, forkId } = task;
  if (steps.length > 1) await (await holdIn(task, steps.slice(0, -1), made)).close();
  const held = await holdFolder(workRoot, [proposal, forkId, ...steps]);
  if (held.made.length === 0) return held.folder;
  made.folders.push(held.made);
  try {
    await openLike(join(sessionFolderPath(workRoot, proposal, sessionId), ...steps), held.folder);
    return held.folder;
  } catch (error) {
    await held.folder.close();
    throw error;
  }
};

const drop = async ({ workRoot, proposal, forkId }: CarryTask, { files, folders }: Made): Promise<void> => {
  for (const { steps, name } of files) {
    const folder = await holdExisting(workRoot, [proposal, forkId, ...steps]);
    try {
      await folder?.remove(name);
    } finally {
      await folder?.close();
    }
  }
  for (const some of folders.toReversed()) await removeEmpty(some);
};

/** The first error, after the cleanup; an error of the cleanup is added. */
const afterDrop = async (first: unknown, taken: () => Promise<void>): Promise<unknown> => {
  try {
    await taken();
    return first;
  } catch (second) {
    const cause = new AggregateError([first, second], `${failureText(first)}; then ${failureText(second)}`);
    return isFault(first) ? new Fault(first.code, first.kind, first.message, { ...first.options, cause }) : cause;
  }
};

/** Files by their folder, as steps from the session's own. */
const byFolder = (files: readonly CarriedFile[], home: string): ReadonlyMap<string, readonly CarriedFile[]> => {
  const grouped = new Map<string, CarriedFile[]>();
  for (const file of files) {
    const folder = relative(home, dirname(file.path));
    if (folder.startsWith('..')) throw outside(file.path);
    grouped.set(folder, [...(grouped.get(folder) ?? []), file]);
  }
  return grouped;
};

/** Files of one folder, each by its current state. */
const carryFolder = async (
  task: CarryTask,
  place: string,
  files: readonly CarriedFile[],
  made: Made,
): Promise<readonly (readonly [path: string, pin: FilePin])[]> => {
  const { workRoot, proposal, sessionId, forkId } = task;
  const [from, to] = [sessionFolderPath(workRoot, proposal, sessionId), sessionFolderPath(workRoot, proposal, forkId)];
  const steps = place === '' ? [] : place.split(sep);
  const there: CarriedFile[] = [];
  for (const file of files) if (await isThere(workRoot, join(from, place, basename(file.path)), file)) there.push(file);
  const pins: (readonly [string, FilePin])[] = [];
  if (there.length === 0) return pins;
  const folder = await holdIn(task, steps, made);
  try {
    for (const file of there) {
      const name = basename(file.path);
      made.files.push({ steps, name });
      const carried = await carryFile(file, join(from, place, name), folder, task);
      if (typeof carried === 'object') pins.push([join(to, place, name), carried]);
    }
    await folder.sync();
    return pins;
  } finally {
    await folder.close();
  }
};

/**
 * As `SessionFolderPort.carryFiles`.
 * @param workRoot absolute
 * @param nameAgain creates a hard link; tests make it fail
 */
export const carryFiles = async (
  workRoot: string,
  session: Session,
  afterCycle: number,
  fork: PlannedFork,
  nameAgain: CarryTask['nameAgain'] = link,
): Promise<ReadonlyMap<string, FilePin>> => {
  const { id: sessionId, request } = session;
  const task = { workRoot, proposal: request.proposal, sessionId, forkId: fork.id, nameAgain };
  const made: Made = { files: [], folders: [] };
  // For a fork with a key, another request may have started the fork with these files.
  const taken = (): Promise<void> => (fork.isKeyed ? Promise.resolve() : drop(task, made));
  try {
    const pins: (readonly [string, FilePin])[] = [];
    for (const [place, files] of byFolder(carriedFiles(session, afterCycle), session.folder))
      pins.push(...(await carryFolder(task, place, files, made)));
    return new Map(pins);
  } catch (error) {
    throw await afterDrop(asFault(error, fork.folder), taken);
  }
};
