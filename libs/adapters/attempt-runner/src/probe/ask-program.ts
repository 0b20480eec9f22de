import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Time limit for an installation to report itself, in milliseconds: a cold PHENIX on a network disk needs many seconds.
 */
const timeoutMs = 60_000;
const answerBytes = 4 * 1024 * 1024;

export interface Ask {
  readonly environment: Readonly<Record<string, string>>;
  readonly onWarning: (message: string) => void;
}

/** The absolute path of an executable file in a folder, or undefined. */
export const executableIn = (folder: string, name: string): string | undefined => {
  const path = join(folder, name);
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    // Missing, not executable, or a broken link: not a program.
    return undefined;
  }
};

export const firstExecutable = (folders: readonly string[], name: string): string | undefined =>
  folders.map((folder) => executableIn(folder, name)).find((path) => path !== undefined);

/** A program's output, or undefined (with a warning) if it fails or times out. */
export const answerOf = (file: string, args: readonly string[], ask: Ask): Promise<string | undefined> =>
  new Promise((resolve) => {
    const options = {
      env: { ...ask.environment },
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: answerBytes,
    } as const;
    const child = execFile(file, [...args], options, (error, output) => {
      if (error === null) {
        resolve(output);
        return;
      }
      const why = error.killed === true ? `did not respond within ${String(timeoutMs / 1000)} s` : error.message;
      ask.onWarning(`${file} ${args.join(' ')} failed: ${why.trim()}`);
      resolve(undefined);
    });
    child.stdin?.end();
  });

/** The JSON array that a program prints, or undefined (with a warning). */
export const listOf = async (
  file: string,
  args: readonly string[],
  ask: Ask,
): Promise<readonly unknown[] | undefined> => {
  const answer = await answerOf(file, args, ask);
  if (answer === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(answer);
    if (Array.isArray(list)) return list as readonly unknown[];
  } catch {
    // Not JSON at all: the warning below says so.
  }
  ask.onWarning(`${file} ${args.join(' ')} printed no JSON list`);
  return undefined;
};

export const textField = (entry: unknown, field: string): string | undefined => {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const value: unknown = Reflect.get(entry, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
};
