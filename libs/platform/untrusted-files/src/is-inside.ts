import { isAbsolute, relative, sep } from 'node:path';

/** True when `path` is `root` or lies below it by its name; both are resolved already. */
export const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
};
