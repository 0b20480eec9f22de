import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** Why this is not the absolute path of an existing folder, in words; undefined when it is one. */
export const folderProblem = (path: unknown): string | undefined => {
  if (typeof path !== 'string' || path === '') return 'is empty';
  if (!isAbsolute(path)) return `"${path}" is not an absolute path`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return `"${path}" does not exist`;
  return stats.isDirectory() ? undefined : `"${path}" is not a folder`;
};
