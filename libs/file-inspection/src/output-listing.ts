import { readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { isExecutorFile } from '@fleet/contracts';

export interface OutputListing {
  /** Absolute paths, sorted. */
  readonly paths: readonly string[];
  /** True when there are more files than are listed. */
  readonly truncated: boolean;
}

const mostFiles = 500;
/** Entries that are looked at, whatever they are; a program that makes more is not listed to the end. */
const mostEntries = 20_000;
/** PHENIX's larger programs write into one folder of their own (`AutoBuild_run_1_/`, `LigandFit_run_1_/`). */
const deepest = 2;
/** Working folders of programs: what lies there is intermediate (seed 000, "Intermediate File Filtering"). */
const workingFolders = /^(temp\d*|tmp|scratch|coot-backup|.*carryon.*)$/i;

const isWanted = (entry: Dirent, relative: string): boolean => entry.isFile() && !isExecutorFile(relative);

const isEntered = (entry: Dirent, relative: string, depth: number): boolean =>
  entry.isDirectory() && depth < deepest && !isExecutorFile(relative) && !workingFolders.test(entry.name);

const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);

/** What is still to be visited: files of a folder come before its folders, so that a bounded listing keeps the results. */
interface Folder {
  readonly relative: string;
  readonly depth: number;
}

/**
 * The files that a program left in its attempt's folder, without the executor's own. Links are not followed: a link could lead out of
 * the folder. At most 500 files.
 */
export const listOutputs = async (folder: string): Promise<OutputListing> => {
  const paths: string[] = [];
  const folders: Folder[] = [{ relative: '', depth: 0 }];
  let seen = 0;
  for (const { relative, depth } of folders) {
    const entries = (await readdir(join(folder, relative), { withFileTypes: true })).sort(byName);
    for (const entry of entries.slice(0, mostEntries - seen)) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (isWanted(entry, path)) paths.push(path);
      else if (isEntered(entry, path, depth)) folders.push({ relative: path, depth: depth + 1 });
    }
    seen += entries.length;
    if (paths.length > mostFiles || seen > mostEntries) break;
  }
  const truncated = paths.length > mostFiles || seen > mostEntries;
  return { paths: paths.slice(0, mostFiles).map((path) => join(folder, path)), truncated };
};
