import { opendir, realpath } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import { incomingFolder } from '@fleet/contracts/uploads';
import type { FolderPattern, ManifestEntry, PatternPart } from '@fleet/manifest';
import { isInside } from './is-inside';

/** Maximum folder entries read for one pattern. */
const maxEntries = 200_000;

type Variables = Readonly<Record<string, string>>;

const refused = (reason: string, allowed: string): Fault =>
  new Fault('manifest.invalid', 'caller', 'The folder cannot be looked through.', {
    problems: [{ field: 'folder.pattern', reason, allowed }],
  });

/** Errors of missing or unreadable folders, which count as empty. */
const closed = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']);

/** Combines the variables of two names; undefined if a name does not match, or one variable has two values. */
const both = (one: Variables, other: Variables | undefined): Variables | undefined =>
  other !== undefined && Object.entries(other).every(([name, text]) => (one[name] ?? text) === text)
    ? { ...one, ...other }
    : undefined;

class Looking {
  private looked = 0;
  private found = 0;

  constructor(
    private readonly pattern: FolderPattern,
    private readonly roots: readonly string[],
  ) {}

  async *from(folder: string, at: number, variables: Variables): AsyncGenerator<ManifestEntry> {
    const part = this.pattern.parts[at];
    if (part === undefined) return;
    const isLast = at === this.pattern.parts.length - 1;
    if ('name' in part && !isLast) {
      yield* this.from(join(folder, part.name), at + 1, variables);
      return;
    }
    for (const entry of await this.entries(folder)) {
      const named = both(variables, variablesIn(part, entry.name));
      if (named === undefined || entry.isDirectory() === isLast) continue;
      const path = join(folder, entry.name);
      if (isLast) yield this.row(path, named);
      else yield* this.from(path, at + 1, named);
    }
  }

  private row(path: string, variables: Variables): ManifestEntry {
    this.found += 1;
    return { line: this.found, row: { files: [path], ...(Object.keys(variables).length > 0 && { variables }) } };
  }

  /**
   * Sorted by name, so that a repeated search has the same order. Nothing outside the data folders is listed, and no
   * incomplete upload.
   */
  private async entries(folder: string): Promise<readonly Dirent[]> {
    const entries: Dirent[] = [];
    try {
      const real = await realpath(folder);
      const isListed = !real.split(sep).includes(incomingFolder) && this.roots.some((root) => isInside(root, real));
      if (!isListed) return [];
      for await (const entry of await opendir(real)) {
        this.looked += 1;
        if (this.looked > maxEntries)
          throw refused('leads through too many files', `at most ${String(maxEntries)} in all folders together`);
        if (entry.name !== incomingFolder) entries.push(entry);
      }
    } catch (error) {
      if (!closed.has(errnoOf(error) ?? '')) throw error;
    }
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  }
}

/** The variables of a part in a name; undefined if it does not match. */
const variablesIn = (part: PatternPart, name: string): Variables | undefined => {
  if ('name' in part) return part.name === name ? {} : undefined;
  const found = part.fits.exec(name);
  return found === null ? undefined : { ...found.groups };
};

/** The fixed folder at the beginning of a pattern. */
const beginningOf = ({ parts }: FolderPattern): string => {
  const open = parts.findIndex((part) => 'fits' in part);
  return `/${parts
    .slice(0, open)
    .map((part) => ('name' in part ? part.name : ''))
    .join('/')}`;
};

/**
 * The files that match a pattern below these folders, each as a row with its variables, sorted. Links to folders are
 * not followed.
 * @throws Fault `manifest.invalid` if the pattern begins outside, or covers too many files
 */
export async function* filesThatFit(pattern: FolderPattern, roots: readonly string[]): AsyncGenerator<ManifestEntry> {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))));
  const beginning = beginningOf(pattern);
  if (![...real, ...roots.map((root) => resolve(root))].some((root) => isInside(root, beginning)))
    throw refused('begins outside of the data folders', `files under ${roots.join(', ')}`);
  yield* new Looking(pattern, real).from('/', 0, {});
}
