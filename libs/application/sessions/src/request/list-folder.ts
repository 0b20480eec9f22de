import { dirname, join } from 'node:path';
import type { Principal } from '@fleet/contracts/access';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { FolderEntry, FolderView } from '@fleet/contracts/submissions';
import type { FolderName, ReadableFiles } from '@fleet/ports';
import { ProblemList } from '@fleet/problems';
import type { SessionPorts } from '../session/session-ports';
import { isLikelyInput } from './input-directory';
import { isPathProblem, resolvePaths, type ResolvedPath } from './inspect-files';

/** Maximum names read of one folder, which limits the response time. */
const mostNames = 20_000;

const field = 'path';

const byNumber = new Intl.Collator('en', { numeric: true });
/** In listing order: folders first; `x2` before `x10`. Names that compare equal still have a fixed order. */
const keyOf = ({ name, isFolder }: FolderName): string => `${isFolder ? 'd' : 'f'}:${name}`;
const inOrder = (one: string, other: string): number => {
  if (one.charAt(0) !== other.charAt(0)) return one < other ? -1 : 1;
  return byNumber.compare(one, other) || (one < other ? -1 : Number(one > other));
};

const refusal = (problems: ProblemList): Fault =>
  new Fault('request.invalid', 'caller', 'This folder cannot be listed.', { problems: problems.all });

const namesIn = async (
  { given, path }: ResolvedPath,
  readable: ReadableFiles,
): Promise<{ readonly names: readonly FolderName[]; readonly isCut: boolean }> => {
  const names: FolderName[] = [];
  try {
    for await (const entry of readable.entriesIn(path)) {
      if (names.length >= mostNames) return { names, isCut: true };
      names.push(entry);
    }
  } catch (error) {
    if (!isPathProblem(error)) throw error;
    const reason = errnoOf(error) === 'ENOTDIR' ? 'is not a folder' : 'cannot be read by the service';
    const problems = new ProblemList();
    problems.add('file.unreadable', field, `${shown(given)} ${reason}`, 'a folder below the data folders');
    throw refusal(problems);
  }
  return { names, isCut: false };
};

const entryAt = async (path: string, readable: ReadableFiles): Promise<FolderEntry | undefined> => {
  try {
    const entry = await readable.entryAt(path);
    return entry?.kind === 'file' && isLikelyInput(entry.name) ? { ...entry, likely: true } : entry;
  } catch (error) {
    // Removed meanwhile, or inaccessible.
    if (!isPathProblem(error)) throw error;
    return undefined;
  }
};

/** The folders that contain everything that the caller may submit. */
const dataFolders = async (readable: ReadableFiles): Promise<FolderView> => {
  const folders = [...new Set(await readable.beginnings())];
  return { path: '', entries: folders.map((path) => ({ name: path, path, kind: 'folder' })), skipped: 0 };
};

interface ListOrder {
  /** Absent: the data folders. */
  readonly path?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of a folder's entries. Nothing outside the readable folders is read, and no link out of them is followed. */
export class ListFolder {
  constructor(private readonly ports: Pick<SessionPorts, 'readableBy'>) {}

  /** @throws Fault `request.invalid` if the path is outside, not a folder, or unreadable */
  async run(principal: Principal, { path: given, limit, cursor }: ListOrder): Promise<FolderView> {
    const readable = this.ports.readableBy(principal);
    if (given === undefined) return dataFolders(readable);
    const problems = new ProblemList();
    const [folder] = await resolvePaths([given], { readable }, problems, () => field);
    if (folder === undefined) throw refusal(problems);
    const { path } = folder;
    const { names, isCut } = await namesIn(folder, readable);
    const sorted = names.toSorted((one, other) => inOrder(keyOf(one), keyOf(other)));
    const rest = cursor === undefined ? sorted : sorted.filter((one) => inOrder(keyOf(one), cursor) > 0);
    const page = rest.slice(0, limit);
    const found = await Promise.all(page.map(({ name }) => entryAt(join(path, name), readable)));
    const entries = found.filter((entry) => entry !== undefined);
    const above = dirname(path);
    const isAbove = (await readable.rootOf(above)) !== undefined;
    const last = page.at(-1);
    return {
      path,
      entries,
      skipped: page.length - entries.length,
      ...(isAbove && { above }),
      ...(rest.length > limit && last !== undefined && { nextCursor: keyOf(last) }),
      ...(isCut && { more: true as const }),
    };
  }
}
