import { statSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';

const problemOf = (path: unknown, kind: 'file' | 'folder', isIt: (stats: Stats) => boolean): string | undefined => {
  if (typeof path !== 'string' || path === '') return 'is empty';
  if (!isAbsolute(path)) return `"${path}" is not an absolute path`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return `"${path}" does not exist`;
  return isIt(stats) ? undefined : `"${path}" is not a ${kind}`;
};

/** Why this is not the absolute path of an existing folder, in words; undefined when it is one. */
export const folderProblem = (path: unknown): string | undefined =>
  problemOf(path, 'folder', (stats) => stats.isDirectory());

/** Why this is not the absolute path of an existing file, in words; undefined when it is one. A link to one is one. */
export const fileProblem = (path: unknown): string | undefined => problemOf(path, 'file', (stats) => stats.isFile());
