import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { CliError, isCliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { logTail } from './log-tail';

/** Bytes taken from the end of each file. */
const mostBytes = 1024 * 1024;
/** Maximum number of files, the newest. */
const mostFiles = 50;

interface LogFile {
  readonly path: string;
  readonly changedAt: number;
}

/** Undefined for what is not a file, or is missing: rotated logs leave broken links. */
const fileAt = async (path: string): Promise<LogFile | undefined> => {
  try {
    const found = await stat(path);
    return found.isFile() ? { path, changedAt: found.mtimeMs } : undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** The file, or the files directly in the folder. @throws CliError `usage` if there is none to read */
const filesAt = async (path: string): Promise<readonly LogFile[]> => {
  try {
    const paths = (await stat(path)).isDirectory() ? (await readdir(path)).map((name) => join(path, name)) : [path];
    const files = (await Promise.all(paths.map(fileAt))).filter((file) => file !== undefined);
    if (files.length > 0) return files;
  } catch (error) {
    throw unreadable(path, error);
  }
  throw new CliError(exitCodes.usage, `${path} contains no files. Name a log file, or a folder of log files.`);
};

const tailOf = async (path: string): Promise<string> => {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - mostBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, mostBytes)), 0, null, from);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytes.includes(0)) throw new CliError(exitCodes.usage, `${path} is not a text file. Unpack it first.`);
      return logTail(bytes.toString(), from > 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw isCliError(error) ? error : unreadable(path, error);
  }
};

/**
 * The ends of the services' logs, as collected by their site, by the name of the part.
 * @param paths files, or folders of files
 * @throws CliError `usage` for a path without readable files
 */
export const serviceLogs = async (
  paths: readonly string[],
): Promise<Readonly<Record<string, () => Promise<string>>>> => {
  const files = (await Promise.all(paths.map(filesAt))).flat();
  const newest = [...files].sort((a, b) => b.changedAt - a.changedAt).slice(0, mostFiles);
  const named = new Map<string, LogFile>();
  for (const file of newest.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = `service-log ${basename(file.path)}`;
    named.set(named.has(name) ? `service-log ${file.path}` : name, file);
  }
  return Object.fromEntries([...named].map(([name, { path }]) => [name, () => tailOf(path)]));
};
