import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The `knowledge` folder beside the nearest `package.json` that has one: the checkout's, or the image's, from source as well as from `dist`.
 * Returns the last candidate when there is none, so that the message names a path.
 */
export const defaultKnowledgeFolder = (from: string): string => {
  const candidate = join(from, 'knowledge');
  if (existsSync(join(from, 'package.json')) && existsSync(candidate)) return candidate;
  const parent = dirname(from);
  return parent === from ? candidate : defaultKnowledgeFolder(parent);
};

/** `dist/dashboard` beside the nearest `package.json`: what the build made of the dashboard, if it was built. */
export const defaultDashboardFolder = (from: string): string => {
  const parent = dirname(from);
  if (existsSync(join(from, 'package.json')) || parent === from) return join(from, 'dist', 'dashboard');
  return defaultDashboardFolder(parent);
};
