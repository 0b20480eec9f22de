import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Environment } from './read-variable';

const onPath = (name: string, path: string): string =>
  path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file)) ?? name;

/**
 * The Python with gemmi, which reads files: the configured one (FLEET_INSPECTION_PYTHON), otherwise that of the open
 * programs if installed, otherwise `python3`. A name is resolved on PATH.
 */
export const inspectionPython = (given?: string, env: Environment = process.env): string => {
  const cache = env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const kit = join(env.FLEET_OPEN_PHENIX_DIR ?? join(cache, 'phenix-fleet/open-phenix'), 'venv/bin/python');
  const named = given ?? env.FLEET_INSPECTION_PYTHON ?? (existsSync(kit) ? kit : 'python3');
  return named.includes('/') ? named : onPath(named, env.PATH ?? '');
};
