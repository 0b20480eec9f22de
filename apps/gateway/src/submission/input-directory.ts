import { opendir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { errnoOf, isFault, shown, type AdviceSource } from '@fleet/contracts';
import { compressedEnding } from '@fleet/files';
import { openUnder } from '@fleet/untrusted-files';
import { resolvePaths, type FileRules, type ResolvedPath } from './inspect-files';
import type { ProblemList } from './problem-list';

/** Names of the files in which people say what the data are and what is wanted, the first one first; in any case. */
const readmeNames: readonly string[] = ['readme', 'readme.txt', 'readme.dat', 'readme.md', 'notes.txt'];
/** Characters of such a file that are read. */
const longestReadme = 5_000;
/** Bytes of a character in UTF-8, at most. */
const bytesOfCharacter = 4;
/** Endings of data, models, sequences and dictionaries; what is in the files is looked at afterwards. */
const inputEndings: ReadonlySet<string> = new Set([
  ...['.mtz', '.sca', '.hkl', '.map', '.mrc', '.ccp4'],
  ...['.pdb', '.ent', '.cif', '.mmcif'],
  ...['.fa', '.fasta', '.faa', '.seq', '.pir'],
]);
/** Whether a name ends as inputs do. */
const isInputName = (name: string): boolean => inputEndings.has(extname(name).toLowerCase());
/** Whether a name ends as inputs do, or as a compressed one does, which has to be unpacked first. */
export const isLikelyInput = (name: string): boolean => isInputName(name.replace(compressedEnding, ''));
/** Entries of a folder that are looked at. */
const maxEntries = 2_000;

const field = 'input_directory';

/** A folder with what a session starts from. */
export interface InputDirectory {
  /** Resolved. */
  readonly path: string;
  /** Paths of files that may be inputs, by name. */
  readonly files: readonly string[];
  readonly readme?: AdviceSource;
  /** What is not used, and why, in a sentence each. */
  readonly leftOut: readonly string[];
}

const closed: Readonly<Record<string, string>> = {
  ENOTDIR: 'is no folder',
  EACCES: 'may not be read by the service',
  EPERM: 'may not be read by the service',
  ENOENT: 'does not exist',
};

/** Names in a folder, without those of folders and hidden files; undefined where it cannot be listed, or holds too many. */
const namesIn = async (path: string, given: string, problems: ProblemList): Promise<readonly string[] | undefined> => {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(path)) {
      if (entry.isDirectory() || entry.name.startsWith('.')) continue;
      if (names.push(entry.name) <= maxEntries) continue;
      problems.add('files.too_many', field, `${shown(given)} holds too many files`, `at most ${String(maxEntries)}`);
      return undefined;
    }
  } catch (error) {
    const reason = closed[errnoOf(error) ?? ''];
    if (reason === undefined) throw error;
    problems.add('file.unreadable', field, `${shown(given)} ${reason}`, 'a folder below the data folders');
    return undefined;
  }
  return names.sort();
};

/** The beginning of a text, through no link. */
const readBeginning = async ({ root, path }: ResolvedPath): Promise<Pick<AdviceSource, 'text' | 'cut'>> => {
  const file = await openUnder(root, path);
  try {
    const buffer = Buffer.alloc((longestReadme + 1) * bytesOfCharacter);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    return text.length > longestReadme ? { text: text.slice(0, longestReadme), cut: true } : { text };
  } finally {
    await file.close();
  }
};

/** A README that cannot be read keeps nobody from being served; it is told. */
const readReadme = async (at: ResolvedPath): Promise<AdviceSource | string> => {
  const file = basename(at.path);
  try {
    return { from: 'readme', file, ...(await readBeginning(at)) };
  } catch (error) {
    const reason = isFault(error) && error.kind === 'caller' ? error.message : closed[errnoOf(error) ?? ''];
    if (reason === undefined) throw error;
    return `${file} is not read: ${reason}`;
  }
};

const rankOf = (name: string): number => readmeNames.indexOf(name.toLowerCase());

/**
 * Looks for what a session starts from in a folder, not in the folders below it: files by their endings, and a README. Whatever is wrong with
 * the folder goes to `problems`.
 */
export const readInputDirectory = async (
  given: string,
  rules: FileRules,
  problems: ProblemList,
): Promise<InputDirectory | undefined> => {
  const [folder] = await resolvePaths([given], rules, problems, () => field);
  if (folder === undefined) return undefined;
  const { path, root } = folder;
  const names = await namesIn(path, given, problems);
  if (names === undefined) return undefined;
  const [readme, ...otherReadmes] = names
    .filter((name) => rankOf(name) >= 0)
    .sort((one, other) => rankOf(one) - rankOf(other));
  const source = readme === undefined ? undefined : await readReadme({ ...folder, root, path: join(path, readme) });
  return {
    path,
    files: names.filter(isInputName).map((name) => join(path, name)),
    ...(typeof source === 'object' && source.text.trim() !== '' && { readme: source }),
    leftOut: [
      ...(typeof source === 'string' ? [source] : []),
      ...otherReadmes.map((name) => `${name} is not read: ${readme ?? ''} is`),
      ...names
        .filter((name) => !isInputName(name) && rankOf(name) < 0)
        .map((name) =>
          isLikelyInput(name) ? `${name} is compressed: unpack it` : `${name} has no ending of an input`,
        ),
    ],
  };
};
