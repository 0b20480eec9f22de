import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';

/** Where keys lie below the user's folder of configurations: gateway to key, so that none is sent to another gateway. */
const pathIn = (configFolder: string): string => join(configFolder, 'phenix-fleet', 'keys.json');

type Keys = Readonly<Record<string, string>>;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;

const keysFrom = (text: string, path: string): Keys => {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (typeof content === 'object' && content !== null && Object.values(content).every((key) => typeof key === 'string'))
    return content as Keys;
  throw new CliError(exitCodes.usage, `${path} does not hold keys by gateway; remove it, and log in again.`);
};

const readKeys = async (path: string): Promise<Keys> => {
  let text: string;
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0)
      throw new CliError(exitCodes.usage, `${path} holds keys, and others may read or write it: chmod 600 ${path}`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw error instanceof CliError ? error : unreadable(path, error);
  }
  return keysFrom(text, path);
};

/**
 * The key that somebody logged in with at this gateway; undefined where there is none.
 * @throws CliError where others could read it
 */
export const storedKey = async (configFolder: string, server: string): Promise<string | undefined> =>
  (await readKeys(pathIn(configFolder)))[server];

/**
 * Keeps a key for this gateway, or forgets it.
 * @returns the file that it is kept in
 */
export const storeKey = async (configFolder: string, server: string, key: string | undefined): Promise<string> => {
  const path = pathIn(configFolder);
  const others = Object.entries(await readKeys(path)).filter(([other]) => other !== server);
  const keys = Object.fromEntries([...others, ...(key === undefined ? [] : [[server, key] as const])]);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${String(process.pid)}`;
  await writeFile(beside, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  await chmod(beside, 0o600);
  await rename(beside, path);
  return path;
};
