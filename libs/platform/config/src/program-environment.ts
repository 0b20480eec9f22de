import type { Environment } from './read-variable';

/**
 * The variables that programs inherit. Python and PHENIX need HOME itself, not its dotfiles; everything else (tokens,
 * REDIS_URL, proxies) stays with the service.
 */
const passedOn = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TZ', 'PHENIX', 'PHENIX_VERSION', 'OPEN_PHENIX_MONOMERS'] as const;

/** Default folders of programs on a system. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin';

/** The environment of programs: an allow-list, and a fixed locale. */
export const programEnvironment = (env: Environment = process.env): Readonly<Record<string, string>> => {
  const passed = passedOn.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { PATH: defaultPath, ...Object.fromEntries(passed), LANG: 'C.UTF-8' };
};
