import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { count, errnoOf, number, record, text, type Described } from '@fleet/contracts';

/** A file as it was when a submission was kept. */
export const notedFileSchema = record(
  { path: text() },
  { size: count('bytes'), modified: number('when it was written to last, in milliseconds since 1970') },
);
/** Without size and time: it could not be seen from here, and nobody can say whether it changes. */
export type NotedFile = Described<typeof notedFileSchema>;

/** Files of a folder that are noted; the gateway takes no more of one either. */
const maxFilesOfFolder = 2_000;

/** What cannot be seen from this machine: it may be there for the gateway. */
const unseen = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ESTALE']);

/** @throws the system's own error where the file may be there and cannot be asked */
const notedFile = async (at: string): Promise<NotedFile> => {
  try {
    const { size, mtimeMs } = await stat(at);
    return { path: at, size, modified: mtimeMs };
  } catch (error) {
    if (unseen.has(errnoOf(error) ?? '')) return { path: at };
    throw error;
  }
};

const filesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'));
    return files.slice(0, maxFilesOfFolder).map(({ name }) => join(folder, name));
  } catch (error) {
    if (unseen.has(errnoOf(error) ?? '')) return [];
    throw error;
  }
};

const listedPaths = (files: unknown): readonly string[] =>
  Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : [];

/** The input files that a submission names, as they are now; of a folder those that lie in it. */
export const filesOf = async (body: object): Promise<readonly NotedFile[]> => {
  const named = listedPaths(Reflect.get(body, 'files'));
  const folder: unknown = Reflect.get(body, 'input_directory');
  const found = typeof folder === 'string' ? await filesIn(folder) : [];
  return Promise.all([...named, ...found].map(notedFile));
};

const changeOf = (noted: NotedFile, now: NotedFile): string | undefined => {
  if (noted.size === undefined) return undefined;
  if (now.size === undefined) return 'is not there any more';
  if (now.size !== noted.size) return `had ${String(noted.size)} bytes and now has ${String(now.size)}`;
  return now.modified === noted.modified ? undefined : 'was written to since';
};

/** What has become of the files since they were noted, a sentence for each that is another one now. */
export const changesOf = async (files: readonly NotedFile[]): Promise<readonly string[]> => {
  const changes = await Promise.all(
    files.map(async (noted) => {
      const change = changeOf(noted, await notedFile(noted.path));
      return change === undefined ? [] : [`${noted.path} ${change}`];
    }),
  );
  return changes.flat();
};
