import type { Environment } from './read-variable';

/**
 * All that programs get of the environment. Not HOME's dotfiles but HOME itself is needed by Python and by PHENIX;
 * everything else (tokens, REDIS_URL, proxies) stays with the service.
 */
const passedOn = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TZ', 'PHENIX', 'PHENIX_VERSION', 'OPEN_PHENIX_MONOMERS'] as const;

/** Where a system keeps its programs when nothing says so. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin';

/** The environment in which programs run: an allow-list, and a locale that is the same everywhere. */
export const programEnvironment = (env: Environment = process.env): Readonly<Record<string, string>> => {
  const passed = passedOn.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { PATH: defaultPath, ...Object.fromEntries(passed), LANG: 'C.UTF-8' };
};
