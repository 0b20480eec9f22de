import { lstat, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import type { FilePin, Session, SessionFile } from '@fleet/contracts/sessions';
import { sessionFiles } from '@fleet/files';
import { changeOfError, openUnder, pinDifference, pinOf } from '@fleet/untrusted-files';

/** What tells nothing: others may read what this process may not; what is gone is reported as that. */
const untold: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT']);

/** Whether it is plainly the same, without looking into it: so it is nearly always. */
const isPlainlySame = async (path: string, { inode, size, modified }: FilePin): Promise<boolean> => {
  const stats = await lstat(path, { bigint: true });
  return (
    stats.isFile() && String(stats.ino) === inode && Number(stats.size) === size && String(stats.mtimeNs) === modified
  );
};

/** How a file differs from the one that was accepted; undefined where it is the same, or nobody can tell from here. */
const changeOf = async (root: string, path: string, pin: FilePin): Promise<string | undefined> => {
  try {
    if (await isPlainlySame(path, pin)) return undefined;
    const file = await openUnder(root, path);
    try {
      return pinDifference(pin, await pinOf(file));
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (untold.has(code)) return undefined;
    const change = changeOfError(error);
    if (change !== undefined) return change;
    throw new Fault('storage.unreadable', 'transient', `${path} cannot be examined: ${code || String(error)}`, {
      cause: error,
    });
  }
};

const rootOf = ({ path }: SessionFile, roots: readonly string[]): string | undefined =>
  roots.find((root) => path.startsWith(`${root}${sep}`));

/**
 * The session's files that are not what they were when they were accepted, with how they differ. They are left out: a program that is
 * started with one would be refused it. What was not pinned, or lies below none of the roots, is believed.
 * @param roots absolute folders below which files of sessions lie
 * @throws Fault `storage.unreadable` (transient) where the disk fails
 */
export const changedFiles = async (
  session: Pick<Session, 'request' | 'cycles' | 'folder'>,
  roots: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const changed = new Map<string, string>();
  // Below a root that cannot be resolved now nothing can be opened either: whatever lies there is believed.
  const resolved = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  for (const file of sessionFiles(session)) {
    const root = rootOf(file, [session.folder, ...resolved]);
    if (file.pin === undefined || root === undefined) continue;
    const change = await changeOf(root, file.path, file.pin);
    if (change !== undefined) changed.set(file.path, change);
  }
  return changed;
};
