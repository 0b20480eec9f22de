import { lstat, opendir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { mayRead, ownerIn, reachOf, type DataRoot } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { errnoOf } from '@fleet/contracts/faults';
import { incomingFolder } from '@fleet/contracts/uploads';
import type { FolderEntry } from '@fleet/contracts/submissions';
import type { FolderPattern, ManifestEntry } from '@fleet/manifest';
import type { FolderName, ReadableFiles, ReadablePath } from '@fleet/ports';
import { filesThatFit, isInside, openUnder } from '@fleet/untrusted-files';

/** Maximum names read while searching for the folders of a user's proposals. */
const mostNames = 200_000;

/** A root with its configured and its resolved path. */
interface ResolvedRoot extends DataRoot {
  readonly given: string;
}

/**
 * Decides what a user may read below the data roots and the work root. Every component that reads a submitter's path
 * must use it. A file of another user counts as missing.
 */
export class ReadableFolders implements ReadableFiles {
  private resolvedRoots: Promise<readonly ResolvedRoot[]> | undefined;
  private readonly isForAll: boolean;

  constructor(
    private readonly roots: readonly DataRoot[],
    private readonly principal: Principal,
    private readonly beamlinesOf: (proposal: string) => Promise<readonly string[]>,
  ) {
    this.isForAll = reachOf(principal) === 'all';
  }

  async covers(given: string): Promise<boolean> {
    const path = resolve(given);
    return (await this.found()).some((root) => isInside(root.given, path) || isInside(root.folder, path));
  }

  async resolve(given: string): Promise<ReadablePath | 'nothing' | 'outside'> {
    try {
      const path = await realpath(given);
      const root = await this.rootOf(path);
      if (root !== undefined) return { path, root };
      return this.isForAll ? 'outside' : 'nothing';
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return 'nothing';
      if (this.isForAll || (await this.isTheirs(given))) throw error;
      return 'nothing';
    }
  }

  async rootOf(path: string): Promise<string | undefined> {
    const root = (await this.found()).find(({ folder }) => isInside(folder, path));
    if (root === undefined || path.split(sep).includes(incomingFolder)) return undefined;
    if (this.isForAll) return root.folder;
    const names = relative(root.folder, path).split(sep);
    if (!(await mayRead(this.principal, ownerIn(root, names), this.beamlinesOf))) return undefined;
    return join(root.folder, ...names.slice(0, root.levels.length));
  }

  async mayHold(path: string): Promise<boolean> {
    if (this.isForAll) return true;
    if ((await this.rootOf(path)) === undefined) return false;
    const now = await ifThere(realpath(path));
    return now === undefined || (await this.rootOf(now)) !== undefined;
  }

  async beginnings(): Promise<readonly string[]> {
    const roots = await this.found();
    if (this.isForAll) return roots.map(({ folder }) => folder);
    const found: string[] = [];
    for (const root of roots) {
      if (root.of === 'everybody') found.push(root.folder);
      else for await (const folder of this.below(root, root.folder, 0)) found.push(folder);
    }
    return found;
  }

  leadsTo(path: string): Promise<string> {
    return realpath(path);
  }

  async *entriesIn(folder: string): AsyncGenerator<FolderName> {
    for await (const entry of await opendir(folder))
      if (!entry.name.startsWith('.')) yield { name: entry.name, isFolder: entry.isDirectory() };
  }

  async entryAt(path: string): Promise<FolderEntry | undefined> {
    let status = await lstat(path);
    if (status.isSymbolicLink()) {
      const target = await realpath(path);
      if ((await this.rootOf(target)) === undefined) return undefined;
      status = await lstat(target);
    }
    const name = basename(path);
    if (status.isDirectory()) return { name, path, kind: 'folder' };
    if (!status.isFile()) return undefined;
    return { name, path, kind: 'file', size: status.size, changedAt: status.mtime.toISOString() };
  }

  async firstBytes({ root, path }: ReadablePath, bytes: number): Promise<Buffer> {
    const file = await openUnder(root, path);
    try {
      const buffer = Buffer.alloc(bytes);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async *fitting(pattern: FolderPattern): AsyncGenerator<ManifestEntry> {
    yield* filesThatFit(pattern, await this.beginnings());
  }

  private async ownResults(folder: string): Promise<readonly string[]> {
    const are = await Promise.all(this.principal.proposals.map((name) => ifThere(lstat(join(folder, name)))));
    return this.principal.proposals.filter((_, at) => are[at]?.isDirectory() === true);
  }

  /** The folders of the user's proposals in a root. */
  private async *below(root: DataRoot, folder: string, at: number): AsyncGenerator<string> {
    const level = root.levels[at];
    if (level === undefined) {
      if ((await this.rootOf(folder)) === folder) yield folder;
      return;
    }
    for (const name of root.of === 'results' ? await this.ownResults(folder) : await foldersIn(folder))
      if (level.test(name)) yield* this.below(root, join(folder, name), at + 1);
  }

  /** Whether an unresolvable path is in a folder of the user's proposals, and not behind a link. */
  private async isTheirs(given: string): Promise<boolean> {
    const above = dirname(given);
    const path = await ifThere(realpath(above));
    if (path === undefined) return above !== given && this.isTheirs(above);
    if ((await this.rootOf(path)) === undefined) return false;
    const next = await ifThere(lstat(given));
    return next?.isSymbolicLink() !== true;
  }

  /** The existing roots, a nested root before its parent: it is more specific. */
  private found(): Promise<readonly ResolvedRoot[]> {
    this.resolvedRoots ??= resolveRoots(this.roots);
    return this.resolvedRoots;
  }
}

/** Undefined if the system cannot reach it: an unmounted root is empty, and the others continue to be served. */
const ifThere = async <T>(looked: Promise<T>): Promise<T | undefined> => {
  try {
    return await looked;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
};

const resolveRoots = async (roots: readonly DataRoot[]): Promise<readonly ResolvedRoot[]> => {
  const resolved = await Promise.all(
    roots.map(async (root) => {
      const folder = await ifThere(realpath(root.folder));
      return folder === undefined ? undefined : { ...root, folder, given: resolve(root.folder) };
    }),
  );
  return resolved.filter((root) => root !== undefined).sort((one, other) => other.folder.length - one.folder.length);
};

/** Names of subfolders; none if the folder cannot be listed. */
const foldersIn = async (folder: string): Promise<readonly string[]> => {
  const names: string[] = [];
  const list = async (): Promise<void> => {
    for await (const entry of await opendir(folder)) {
      if (names.length >= mostNames) break;
      if (entry.isDirectory()) names.push(entry.name);
    }
  };
  await ifThere(list());
  return names.sort();
};
