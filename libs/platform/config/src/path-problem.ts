import { statSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';

const problemOf = (path: unknown, kind: 'file' | 'folder', isIt: (stats: Stats) => boolean): string | undefined => {
  if (typeof path !== 'string' || path === '') return 'is empty';
  if (!isAbsolute(path)) return `"${path}" is not an absolute path`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return `"${path}" does not exist`;
  return isIt(stats) ? undefined : `"${path}" is not a ${kind}`;
};

/** Why this is not the absolute path of an existing folder, as text; undefined if it is. */
export const folderProblem = (path: unknown): string | undefined =>
  problemOf(path, 'folder', (stats) => stats.isDirectory());

/** Why this is not the absolute path of an existing file, as text; undefined if it is. A link to a file is valid. */
export const fileProblem = (path: unknown): string | undefined => problemOf(path, 'file', (stats) => stats.isFile());

export const plainPathCharacters = 'letters, digits, blanks and _ - . , : + @ % ~';
const plainPath = /^[\p{L}\p{M}\p{N} _.,:+@%~/-]*$/u;

/**
 * Like `folderProblem`, and restricted to plain characters. Programs receive paths below it, and in PHIL, their
 * parameter language, an `=`, `;`, quote or line break in a path would end it or begin something else.
 */
export const plainFolderProblem = (path: unknown): string | undefined => {
  const problem = folderProblem(path);
  if (problem !== undefined || typeof path !== 'string' || plainPath.test(path)) return problem;
  return `${JSON.stringify(path)} contains a character that programs could read as the end of a path`;
};
