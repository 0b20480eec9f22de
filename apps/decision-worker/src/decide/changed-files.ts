import { lstat, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import type { FilePin, Session, SessionFile } from '@fleet/contracts/sessions';
import { sessionFiles } from '@fleet/files';
import { changeOfError, openUnder, pinDifference, pinOf } from '@fleet/untrusted-files';

/**
 * Errors without information: other processes may have access that this one lacks, and missing files are reported
 * separately.
 */
const uninformative: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT']);

/** Whether the file is unchanged by its metadata, without reading it; nearly always true. */
const isPlainlySame = async (path: string, { inode, size, modified }: FilePin): Promise<boolean> => {
  const stats = await lstat(path, { bigint: true });
  return (
    stats.isFile() && String(stats.ino) === inode && Number(stats.size) === size && String(stats.mtimeNs) === modified
  );
};

/** How a file differs from the accepted one; undefined if it is the same, or cannot be checked from here. */
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
    if (uninformative.has(code)) return undefined;
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
 * The session's files that differ from the accepted ones, with the difference. They are left out: the supervisor would
 * reject them. Unpinned files, and files outside the roots, are assumed unchanged.
 * @param roots absolute folders of session files
 * @throws Fault `storage.unreadable` (transient) if the disk fails
 */
export const changedFiles = async (
  session: Pick<Session, 'request' | 'cycles' | 'folder'>,
  roots: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const changed = new Map<string, string>();
  // Below a root that cannot be resolved now nothing can be opened: its files are assumed unchanged.
  const resolved = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  for (const file of sessionFiles(session)) {
    const root = rootOf(file, [session.folder, ...resolved]);
    if (file.pin === undefined || root === undefined) continue;
    const change = await changeOf(root, file.path, file.pin);
    if (change !== undefined) changed.set(file.path, change);
  }
  return changed;
};
