import { readdir, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import { sessionFiles } from '@fleet/files';

const codeOf = (error: unknown): string => errnoOf(error) ?? '';

/** What tells that a file, or a folder on the way to it, is not there. */
const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);
/** What tells nothing: others may read what this process may not. */
const closed: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** The folder's own path where there is something in it: an empty one is where a disk is not mounted. */
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
 * Paths of the session's files that are gone from the disk: the run that wrote them was cut off, or somebody deleted them. A file
 * below no root that can be seen from here is believed to be there: its disk may be away, or mounted elsewhere only.
 * @param roots absolute folders below which files of sessions lie
 * @throws Fault `storage.unreadable` (transient) where the disk fails
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
