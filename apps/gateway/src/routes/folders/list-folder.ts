import type { Dirent } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { FolderEntry, FolderView } from '@fleet/contracts/submissions';
import type { ReadableFiles } from '@fleet/ports';
import { ProblemList } from '@fleet/problems';
import { isLikelyInput, isPathProblem, resolvePaths, type ResolvedPath } from '@fleet/sessions';
import { ApiError } from '../../http/errors/problem-details';

/** Maximum names read of one folder, which limits the response time. */
const mostNames = 20_000;

const field = 'path';

/** A name in a folder, in listing order. */
interface Named {
  readonly name: string;
  readonly key: string;
  readonly entry: Dirent;
}

const byNumber = new Intl.Collator('en', { numeric: true });
/** Folders first; `x2` before `x10`. Names that compare equal still have a fixed order. */
const inOrder = (one: string, other: string): number => {
  if (one.charAt(0) !== other.charAt(0)) return one < other ? -1 : 1;
  return byNumber.compare(one, other) || (one < other ? -1 : Number(one > other));
};

const refuse = (problems: ProblemList): never => {
  throw new ApiError('request.invalid', 'This folder cannot be listed.', problems.all);
};

const namesIn = async (
  { given, path }: ResolvedPath,
  problems: ProblemList,
): Promise<{ readonly names: readonly Named[]; readonly isCut: boolean }> => {
  const names: Named[] = [];
  try {
    for await (const entry of await opendir(path)) {
      const { name } = entry;
      if (name.startsWith('.')) continue;
      if (names.length >= mostNames) return { names, isCut: true };
      names.push({ name, entry, key: `${entry.isDirectory() ? 'd' : 'f'}:${name}` });
    }
  } catch (error) {
    if (!isPathProblem(error)) throw error;
    const reason = errnoOf(error) === 'ENOTDIR' ? 'is no folder' : 'cannot be read by the service';
    problems.add('file.unreadable', field, `${shown(given)} ${reason}`, 'a folder below the data folders');
  }
  return { names, isCut: false };
};

/** Undefined: a link to something inaccessible, or neither a file nor a folder. */
const entryOf = async (
  { path }: ResolvedPath,
  { name, entry }: Named,
  readable: ReadableFiles,
): Promise<FolderEntry | undefined> => {
  const at = join(path, name);
  try {
    if (entry.isSymbolicLink()) {
      const target = await realpath(at);
      if ((await readable.rootOf(target)) === undefined) return undefined;
    }
    const status = await (entry.isSymbolicLink() ? stat(at) : lstat(at));
    if (status.isDirectory()) return { name, path: at, kind: 'folder' };
    if (!status.isFile()) return undefined;
    const likely = isLikelyInput(name) ? ({ likely: true } as const) : {};
    return { name, path: at, kind: 'file', size: status.size, changedAt: status.mtime.toISOString(), ...likely };
  } catch (error) {
    // Removed meanwhile, or inaccessible.
    if (!isPathProblem(error)) throw error;
    return undefined;
  }
};

/** The folders that contain everything that the caller may submit. */
export const dataFolders = async (readable: ReadableFiles): Promise<FolderView> => {
  const folders = [...new Set(await readable.beginnings())];
  return { path: '', entries: folders.map((path) => ({ name: path, path, kind: 'folder' })), skipped: 0 };
};

/**
 * A page of a folder's entries. Nothing outside the readable folders is read, and no link out of them is followed.
 * @throws ApiError `request.invalid` if the path is outside, not a folder, or unreadable
 */
export const listFolder = async (
  given: string,
  readable: ReadableFiles,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): Promise<FolderView> => {
  const problems = new ProblemList();
  const [folder] = await resolvePaths([given], { readable }, problems, () => field);
  if (folder === undefined) return refuse(problems);
  const { names, isCut } = await namesIn(folder, problems);
  if (!problems.isEmpty) return refuse(problems);
  const sorted = [...names].sort((one, other) => inOrder(one.key, other.key));
  const rest = cursor === undefined ? sorted : sorted.filter(({ key }) => inOrder(key, cursor) > 0);
  const page = rest.slice(0, limit);
  const entries = await Promise.all(page.map((named) => entryOf(folder, named, readable)));
  const listed = entries.filter((entry) => entry !== undefined);
  const { path } = folder;
  const above = dirname(path);
  const isAbove = (await readable.rootOf(above)) !== undefined;
  const last = page.at(-1);
  return {
    path,
    entries: listed,
    skipped: page.length - listed.length,
    ...(isAbove && { above }),
    ...(rest.length > limit && last !== undefined && { nextCursor: last.key }),
    ...(isCut && { more: true as const }),
  };
};
