import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { errnoOf } from '@fleet/contracts/faults';
import { openUnder } from '@fleet/untrusted-files';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};
const packed: readonly string[] = ['.html', '.js', '.css', '.svg', '.txt'];
/** The element of index.html with the base URL of the dashboard. */
const basePlace = '<base href="/" />';

/** A file of the dashboard, ready to send. */
export interface DashboardFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped?: Buffer;
  readonly tag: string;
}

const pack = promisify(gzip);

const fileOf = async (name: string, bytes: Buffer): Promise<DashboardFile> => ({
  type: types[extname(name)] ?? 'application/octet-stream',
  bytes,
  ...(packed.includes(extname(name)) && { gzipped: await pack(bytes, { level: 9 }) }),
  tag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}"`,
});

/** Regular files below a folder, without links. */
const namesBelow = async (root: string): Promise<readonly string[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
};

/** Follows no link at any level below the folder. */
const bytesOf = async (folder: string, name: string): Promise<Buffer> => {
  const file = await openUnder(folder, join(folder, name));
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
};

/** Whether a build exists. A folder that is a link does not count. */
const isThere = async (folder: string): Promise<boolean> => {
  try {
    return (await lstat(folder)).isDirectory() && (await lstat(join(folder, 'index.html'))).isFile();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return false;
    throw error;
  }
};

const withBase = (page: Buffer, base: string): Buffer => {
  const text = page.toString('utf8');
  if (!text.includes(basePlace)) throw new Error(`index.html of the dashboard has no ${basePlace}: build it again`);
  return Buffer.from(text.replace(basePlace, `<base href="${base}" />`));
};

/**
 * All files of a build by name, read once: a file that is missing when the gateway starts is never served, whatever a
 * request names.
 * @param base URL path of the dashboard for browsers, with `/` at both ends
 * @returns undefined if there is no build
 */
export const readDashboard = async (
  folder: string,
  base: string,
): Promise<ReadonlyMap<string, DashboardFile> | undefined> => {
  if (!(await isThere(folder))) return undefined;
  const files = new Map<string, DashboardFile>();
  for (const name of await namesBelow(folder)) {
    const bytes = await bytesOf(folder, name);
    files.set(name.split(sep).join('/'), await fileOf(name, name === 'index.html' ? withBase(bytes, base) : bytes));
  }
  return files;
};
