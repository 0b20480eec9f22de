import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The `knowledge` folder beside the nearest `package.json` that has one: that of the checkout or the image, from source
 * and from `dist`. Returns the last candidate if there is none, so that the error names a path.
 */
export const defaultKnowledgeFolder = (from: string): string => {
  const candidate = join(from, 'knowledge');
  if (existsSync(join(from, 'package.json')) && existsSync(candidate)) return candidate;
  const parent = dirname(from);
  return parent === from ? candidate : defaultKnowledgeFolder(parent);
};

/** `dist/dashboard` beside the nearest `package.json`: the built dashboard, if it exists. */
export const defaultDashboardFolder = (from: string): string => {
  const parent = dirname(from);
  if (existsSync(join(from, 'package.json')) || parent === from) return join(from, 'dist', 'dashboard');
  return defaultDashboardFolder(parent);
};
