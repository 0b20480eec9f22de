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

/** Who may enter a folder is as of the one that it stands for, so that programs of the fork read what is in it. */
const openLike = async (source: string, folder: HeldFolder): Promise<void> => {
  const [like, own] = [await lstat(source), await lstat(folder.at('.'))];
  if (!like.isDirectory()) throw changed(source, 'it is no folder any more');
  if (like.gid !== own.gid) await chown(folder.at('.'), own.uid, like.gid);
  await chmod(folder.at('.'), (like.mode & 0o7777) | 0o700);
};

/** Where files are carried from and to. */
interface Way extends Carrying {
  readonly proposal: string;
  readonly sessionId: string;
  readonly forkId: string;
}

/** What was made on the way, to be taken away again. */
interface Made {
  readonly files: { readonly steps: readonly string[]; readonly name: string }[];
  /** For each folder that was held, those that were made for it, the deepest first. */
  readonly folders: (readonly string[])[];
}

/** The folder of the fork that many steps below its own; what is missing is made. The caller closes it. */
const holdIn = async (way: Way, steps: readonly string[], made: Made): Promise<HeldFolder> => {
  const { workRoot, proposal, sessionId, forkId } = way;
  if (steps.length > 1) await (await holdIn(way, steps.slice(0, -1), made)).close();
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

const drop = async ({ workRoot, proposal, forkId }: Way, { files, folders }: Made): Promise<void> => {
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

/** The first error, after what was made is taken away; what goes wrong then is told beside it. */
const afterDrop = async (first: unknown, taken: () => Promise<void>): Promise<unknown> => {
  try {
    await taken();
    return first;
  } catch (second) {
    const cause = new AggregateError([first, second], `${failureText(first)}; then ${failureText(second)}`);
    return isFault(first) ? new Fault(first.code, first.kind, first.message, { ...first.options, cause }) : cause;
  }
};

/** Files by the folder that they lie in, as steps from the session's own. */
const byFolder = (files: readonly CarriedFile[], home: string): ReadonlyMap<string, readonly CarriedFile[]> => {
  const grouped = new Map<string, CarriedFile[]>();
  for (const file of files) {
    const place = relative(home, dirname(file.path));
    if (place.startsWith('..')) throw outside(file.path);
    grouped.set(place, [...(grouped.get(place) ?? []), file]);
  }
  return grouped;
};

/** Files of one folder, each by what it is there now. */
const carryFolder = async (
  way: Way,
  place: string,
  files: readonly CarriedFile[],
  made: Made,
): Promise<readonly (readonly [path: string, pin: FilePin])[]> => {
  const { workRoot, proposal, sessionId, forkId } = way;
  const [from, to] = [sessionFolderPath(workRoot, proposal, sessionId), sessionFolderPath(workRoot, proposal, forkId)];
  const steps = place === '' ? [] : place.split(sep);
  const there: CarriedFile[] = [];
  for (const file of files) if (await isThere(workRoot, join(from, place, basename(file.path)), file)) there.push(file);
  const pins: (readonly [string, FilePin])[] = [];
  if (there.length === 0) return pins;
  const folder = await holdIn(way, steps, made);
  try {
    for (const file of there) {
      const name = basename(file.path);
      made.files.push({ steps, name });
      const carried = await carryFile(file, join(from, place, name), folder, way);
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
 * @param nameAgain gives a file a second name; tests say that it cannot have one
 */
export const carryFiles = async (
  workRoot: string,
  session: Session,
  afterCycle: number,
  fork: PlannedFork,
  nameAgain: Way['nameAgain'] = link,
): Promise<ReadonlyMap<string, FilePin>> => {
  const { id: sessionId, request } = session;
  const way = { workRoot, proposal: request.proposal, sessionId, forkId: fork.id, nameAgain };
  const made: Made = { files: [], folders: [] };
  // Of a fork with a key, what was made here may be what another request has started the fork with.
  const taken = (): Promise<void> => (fork.isKeyed ? Promise.resolve() : drop(way, made));
  try {
    const pins: (readonly [string, FilePin])[] = [];
    for (const [place, files] of byFolder(carriedFiles(session, afterCycle), session.folder))
      pins.push(...(await carryFolder(way, place, files, made)));
    return new Map(pins);
  } catch (error) {
    throw await afterDrop(asFault(error, fork.folder), taken);
  }
};
