import { isAbsolute, relative, sep } from 'node:path';

/** True if `path` is `root` or below it by name; both must be resolved. */
export const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
};
