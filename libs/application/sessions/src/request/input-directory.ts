import { basename, extname, join } from 'node:path';
import { errnoOf, isFault } from '@fleet/contracts/faults';
import type { AdviceSource } from '@fleet/contracts/guidance';
import { shown } from '@fleet/contracts/schema';
import { compressedEnding } from '@fleet/files';
import type { ProblemList } from '@fleet/problems';
import { resolvePaths, type FileRules, type ResolvedPath } from './inspect-files';

/** Names of README files with advice, in order of preference, case-insensitive. */
const readmeNames: readonly string[] = ['readme', 'readme.txt', 'readme.dat', 'readme.md', 'notes.txt'];
/** Maximum number of characters read from such a file. */
const longestReadme = 5_000;
/** Maximum number of bytes of a UTF-8 character. */
const bytesOfCharacter = 4;
/** Extensions of data, models, sequences and dictionaries; the content is inspected later. */
const inputEndings: ReadonlySet<string> = new Set([
  ...['.mtz', '.sca', '.hkl', '.map', '.mrc', '.ccp4'],
  ...['.pdb', '.ent', '.cif', '.mmcif'],
  ...['.fa', '.fasta', '.faa', '.seq', '.pir'],
]);
/** Whether a name has the extension of an input file. */
const isInputName = (name: string): boolean => inputEndings.has(extname(name).toLowerCase());
/** Whether a name has the extension of an input file, or of a compressed one, which must be unpacked first. */
export const isLikelyInput = (name: string): boolean => isInputName(name.replace(compressedEnding, ''));
/** Maximum number of folder entries. */
const maxEntries = 2_000;

const field = 'input_directory';

/** A folder with the inputs of a session. */
export interface InputDirectory {
  /** Links resolved. */
  readonly path: string;
  /** Paths of possible inputs, by name. */
  readonly files: readonly string[];
  readonly readme?: AdviceSource;
  /** Unused files with the reason, one sentence each. */
  readonly leftOut: readonly string[];
}

const closed: Readonly<Record<string, string>> = {
  ENOTDIR: 'is not a folder',
  EACCES: 'is not readable for the service',
  EPERM: 'is not readable for the service',
  ENOENT: 'does not exist',
};

/** Names of the regular, visible files in a folder; undefined if it cannot be listed, or contains too many. */
const namesIn = async (
  path: string,
  given: string,
  { readable }: FileRules,
  problems: ProblemList,
): Promise<readonly string[] | undefined> => {
  try {
    const names: string[] = [];
    for await (const { name, isFolder } of readable.entriesIn(path)) {
      if (isFolder || names.push(name) <= maxEntries) continue;
      problems.add('files.too_many', field, `${shown(given)} holds too many files`, `at most ${String(maxEntries)}`);
      return undefined;
    }
    return names.sort();
  } catch (error) {
    const reason = closed[errnoOf(error) ?? ''];
    if (reason === undefined) throw error;
    problems.add('file.unreadable', field, `${shown(given)} ${reason}`, 'a folder below the data folders');
  }
  return undefined;
};

/** The beginning of a text, through no link. */
const readBeginning = async (
  at: ResolvedPath,
  { readable }: FileRules,
): Promise<Pick<AdviceSource, 'text' | 'cut'>> => {
  const text = (await readable.firstBytes(at, (longestReadme + 1) * bytesOfCharacter)).toString('utf8');
  return text.length > longestReadme ? { text: text.slice(0, longestReadme), cut: true } : { text };
};

/** An unreadable README is reported, but does not refuse the submission. */
const readReadme = async (at: ResolvedPath, rules: FileRules): Promise<AdviceSource | string> => {
  const file = basename(at.path);
  try {
    return { from: 'readme', file, ...(await readBeginning(at, rules)) };
  } catch (error) {
    const reason = isFault(error) && error.kind === 'caller' ? error.message : closed[errnoOf(error) ?? ''];
    if (reason === undefined) throw error;
    return `${file} is not read: ${reason}`;
  }
};

const rankOf = (name: string): number => readmeNames.indexOf(name.toLowerCase());

/**
 * Finds the inputs of a session in a folder, not in its subfolders: files by their extensions, and a README. Problems are added to
 * `problems`.
 */
export const readInputDirectory = async (
  given: string,
  rules: FileRules,
  problems: ProblemList,
): Promise<InputDirectory | undefined> => {
  const [folder] = await resolvePaths([given], rules, problems, () => field);
  if (folder === undefined) return undefined;
  const { path } = folder;
  const names = await namesIn(path, given, rules, problems);
  if (names === undefined) return undefined;
  const [readme, ...otherReadmes] = names
    .filter((name) => rankOf(name) >= 0)
    .sort((one, other) => rankOf(one) - rankOf(other));
  const source = readme === undefined ? undefined : await readReadme({ ...folder, path: join(path, readme) }, rules);
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
