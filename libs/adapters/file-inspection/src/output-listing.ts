import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { isExecutorFile } from '@fleet/contracts/runs';

export interface OutputListing {
  /** Absolute paths, sorted: a folder's files before its subfolders. */
  readonly paths: readonly string[];
  /** Number of files that are not listed. */
  readonly leftOut: number;
  /** True if there are more entries than are read. */
  readonly truncated: boolean;
  /** Paths of folders that the program has locked. */
  readonly closed: readonly string[];
}

/** The rank of a file by its path relative to the folder: lower is better. Within one rank the newest come first. */
export type OutputRank = (relativePath: string) => number;

const maxFiles = 500;
/** Maximum entries read; a program that creates more is not listed completely. */
const maxEntries = 100_000;
/** PHENIX's larger programs write into one folder of their own (`AutoBuild_run_1_/`, `LigandFit_run_1_/`). */
const deepest = 2;
/** Working folders of programs, with intermediate files (phenix-agent.md#intermediate-files). */
const workingFolders = /^(temp\d*|tmp|scratch|coot-backup|.*carryon.*)$/i;

interface Found {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly seen: number;
}

const byName = (one: string, other: string): number => (one < other ? -1 : 1);

/** Errors of a folder that a program has locked, or removed since it was listed. */
const isClosed = (error: unknown): boolean => ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');

const lookInto = async (folder: string, relative: string, room: number): Promise<Found> => {
  const [files, folders]: [string[], string[]] = [[], []];
  let seen = 0;
  for await (const entry of await opendir(join(folder, relative))) {
    seen += 1;
    if (seen > room) break;
    const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (isExecutorFile(path)) continue;
    if (entry.isFile()) files.push(path);
    else if (entry.isDirectory() && !workingFolders.test(entry.name)) folders.push(path);
  }
  return { files: files.sort(byName), folders: folders.sort(byName), seen };
};

const newestOf = async (path: string): Promise<number> => {
  try {
    return (await lstat(path)).mtimeMs;
  } catch (error) {
    if (isClosed(error)) return 0;
    throw error;
  }
};

/** The best ones, in their original order. */
const bestOf = async (folder: string, paths: readonly string[], rank: OutputRank): Promise<readonly string[]> => {
  if (paths.length <= maxFiles) return paths;
  const ranked: { path: string; index: number; rank: number; time: number }[] = [];
  for (const [index, path] of paths.entries()) {
    ranked.push({ path, index, rank: rank(path), time: await newestOf(join(folder, path)) });
  }
  ranked.sort((one, other) => one.rank - other.rank || other.time - one.time || one.index - other.index);
  const best = ranked.slice(0, maxFiles).sort((one, other) => one.index - other.index);
  return best.map(({ path }) => path);
};

/**
 * The files that a program left in its attempt's folder, without the executor's own. Links are not followed, because
 * they could lead out of the folder. At most 500 files, those with the lowest rank.
 */
export const listOutputs = async (folder: string, rank: OutputRank = () => 0): Promise<OutputListing> => {
  const [paths, closed]: [string[], string[]] = [[], []];
  const folders: string[] = [''];
  let seen = 0;
  for (const relative of folders) {
    const found = await lookInto(folder, relative, maxEntries - seen).catch((error: unknown) => {
      if (isClosed(error)) return undefined;
      throw error;
    });
    if (found === undefined) {
      closed.push(join(folder, relative));
      continue;
    }
    paths.push(...found.files);
    const depth = relative === '' ? 0 : relative.split('/').length;
    if (depth < deepest) folders.push(...found.folders);
    seen += found.seen;
    if (seen > maxEntries) break;
  }
  const best = await bestOf(folder, paths, rank);
  return {
    paths: best.map((path) => join(folder, path)),
    leftOut: paths.length - best.length,
    truncated: seen > maxEntries,
    closed,
  };
};
