import { readdir, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import { sessionFiles } from '@fleet/files';

const codeOf = (error: unknown): string => errnoOf(error) ?? '';

/** Errors of a missing file or folder. */
const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);
/** Errors without information: other processes may have access that this one lacks. */
const closed: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** The folder's own path if it is not empty: an empty one is the mount point of an unmounted disk. */
const seenRoot = async (root: string): Promise<readonly string[]> => {
  try {
    const path = await realpath(root);
    return (await readdir(path)).length > 0 ? [path] : [];
  } catch (error) {
    if (absent.has(codeOf(error)) || closed.has(codeOf(error))) return [];
    throw unreadable(root, error);
  }
};

const unreadable = (path: string, cause: unknown): Fault =>
  new Fault('storage.unreadable', 'transient', `${path} cannot be examined: ${codeOf(cause) || String(cause)}`, {
    cause,
  });

const isGone = async (path: string): Promise<boolean> => {
  try {
    await stat(path);
    return false;
  } catch (error) {
    if (absent.has(codeOf(error))) return true;
    if (closed.has(codeOf(error))) return false;
    throw unreadable(path, error);
  }
};

/**
 * Paths of the session's files that are missing from the disk: their run was interrupted, or they were deleted. A file
 * outside the visible roots is assumed to exist: its disk may be unmounted, or mounted only elsewhere.
 * @param roots absolute folders of session files
 * @throws Fault `storage.unreadable` (transient) if the disk fails
 */
export const missingFiles = async (
  session: Pick<Session, 'request' | 'cycles'>,
  roots: readonly string[],
): Promise<ReadonlySet<string>> => {
  const seen = (await Promise.all(roots.map(seenRoot))).flat();
  const paths = sessionFiles(session)
    .map(({ path }) => path)
    .filter((path) => seen.some((root) => path.startsWith(`${root}${sep}`)));
  const gone = await Promise.all(paths.map(isGone));
  return new Set(paths.filter((_, index) => gone[index]));
};
