import { isAbsolute } from 'node:path';
import type { Principal } from '@fleet/contracts/access';
import { errnoOf, Fault, isFault, type FieldProblem } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { ApiProblem, SessionFile } from '@fleet/contracts/sessions';
import type { FileInspector, ReadableFiles, ReadablePath } from '@fleet/ports';
import type { ProblemCode, ProblemList } from '@fleet/problems';
import type { SessionPorts } from '../session/session-ports';

export interface FileRules {
  readonly inspector: FileInspector;
  /** Files that the submitter may read. */
  readonly readable: ReadableFiles;
  readonly maxFiles: number;
}

/** Rules for inspecting the files of a principal. */
export const fileRulesOf = (
  { inspector, readableBy, limits }: Pick<SessionPorts, 'inspector' | 'readableBy' | 'limits'>,
  principal: Principal,
): FileRules => ({ inspector, readable: readableBy(principal), maxFiles: limits.maxFiles });

/** PATH_MAX of Linux, in bytes. */
const longestPath = 4096;
/** Files of one submission that are inspected concurrently: enough to hide a slow disk, few enough to let other submissions in between. */
const together = 4;

/** What is allowed instead of a missing file. */
export const existing = 'a file that exists and that you may read';
const codeOfErrno: Readonly<Record<string, { readonly code: ProblemCode; readonly reason: string }>> = {
  ENOENT: { code: 'file.missing', reason: 'does not exist' },
  ENOTDIR: { code: 'file.missing', reason: 'does not exist' },
  ELOOP: { code: 'file.missing', reason: 'is a link that leads to itself' },
  EACCES: { code: 'file.unreadable', reason: 'is not readable for the service' },
  EPERM: { code: 'file.unreadable', reason: 'is not readable for the service' },
  ENAMETOOLONG: { code: 'file.bad_name', reason: 'has a name that is too long' },
};

/** Whether an error means that the path is unusable; other errors are infrastructure failures. */
export const isPathProblem = (error: unknown): boolean => codeOfErrno[errnoOf(error) ?? ''] !== undefined;

const nameProblem = (path: string): { code: ProblemCode; reason: string; allowed: string } | undefined => {
  if (path.includes('\0')) {
    return { code: 'file.bad_name', reason: 'has a NUL character in its name', allowed: 'any name without NUL' };
  }
  if (Buffer.byteLength(path) > longestPath) {
    return { code: 'file.bad_name', reason: 'is too long a path', allowed: `at most ${String(longestPath)} bytes` };
  }
  if (!isAbsolute(path)) {
    return { code: 'file.bad_name', reason: `${shown(path)} is not an absolute path`, allowed: 'an absolute path' };
  }
  return undefined;
};

/** A path of a request. */
export interface ResolvedPath extends ReadablePath {
  readonly field: string;
  readonly given: string;
}

const allowed = 'files in the data folders and results of your proposals (GET /v1/folders)';

/** Resolves one path; undefined if it has become a problem. */
const resolvePath = async (
  given: string,
  field: string,
  { readable }: Pick<FileRules, 'readable'>,
  problems: ProblemList,
): Promise<ResolvedPath | undefined> => {
  const bad = nameProblem(given);
  if (bad !== undefined) {
    problems.add(bad.code, field, bad.reason, bad.allowed);
    return undefined;
  }
  // Other paths are not looked up, so that nothing else on this machine is disclosed.
  if (!(await readable.covers(given))) {
    problems.add('file.outside_root', field, `${shown(given)} is outside the data folders`, allowed);
    return undefined;
  }
  try {
    const found = await readable.resolve(given);
    if (typeof found === 'object') return { field, given, ...found };
    if (found === 'nothing') problems.add('file.missing', field, `${shown(given)} does not exist`, existing);
    else problems.add('file.outside_root', field, `${shown(given)} leads outside the data folders`, allowed);
  } catch (error) {
    const known = codeOfErrno[errnoOf(error) ?? ''];
    if (known === undefined) throw error;
    problems.add(known.code, field, `${shown(given)} ${known.reason}`, existing);
  }
  return undefined;
};

/**
 * Resolves existing, readable paths; the others become problems.
 * @param fieldOf the name of an entry in the request
 */
export const resolvePaths = async (
  paths: readonly string[],
  rules: Pick<FileRules, 'readable'>,
  problems: ProblemList,
  fieldOf = (index: number): string => `files[${String(index)}]`,
): Promise<readonly ResolvedPath[]> => {
  const resolved: (ResolvedPath | undefined)[] = [];
  for (const [index, given] of paths.entries())
    if (given !== '') resolved.push(await resolvePath(given, fieldOf(index), rules, problems));
  return resolved.filter((path) => path !== undefined);
};

const withoutDuplicates = (files: readonly ResolvedPath[], problems: ProblemList): readonly ResolvedPath[] => {
  const first = new Map<string, string>();
  return files.filter(({ field, given, path }) => {
    const earlier = first.get(path);
    if (earlier !== undefined) problems.add('file.duplicate', field, `${shown(given)} is the same file as ${earlier}`);
    else first.set(path, field);
    return earlier === undefined;
  });
};

const knownFormats = 'MTZ, XDS_ASCII, Scalepack, PDB, mmCIF, restraint dictionary, CCP4 map, sequence';

/** Converts a fault of the inspector to a problem of the request entry. */
const problemOfFault = (fault: Fault, file: ResolvedPath): ApiProblem => {
  const { reason, allowed }: FieldProblem = fault.problems[0] ?? { field: file.field, reason: fault.message };
  const named = reason.includes(file.path) || reason.includes(file.given) ? reason : `${shown(file.given)}: ${reason}`;
  return { field: file.field, reason: named, code: fault.code, ...(allowed !== undefined && { allowed }) };
};

/** Faults of a file that has used all the time or memory that one may use. */
const costly: ReadonlySet<string> = new Set(['file.inspection_timeout', 'file.inspection_failed']);

const inspectOne = async (
  file: ResolvedPath,
  rules: FileRules,
  problems: ProblemList,
): Promise<SessionFile | 'costly' | undefined> => {
  try {
    const inspected = await rules.inspector.inspect(file.path, { cycle: 0 }, file.root);
    if (inspected.facts.format !== 'unknown') return inspected;
    problems.add('file.unknown_format', file.field, `${shown(file.given)} has an unknown format`, knownFormats);
  } catch (error) {
    if (isFault(error) && error.code === 'inspection.busy') {
      throw new Fault('inspection.busy', 'transient', `${error.message} Nothing was started.`);
    }
    if (!isFault(error) || error.kind !== 'caller') throw error;
    problems.append(problemOfFault(error, file));
    if (costly.has(error.code)) return 'costly';
  }
  return undefined;
};

/**
 * Resolves, checks and inspects the files of a submission. Names are never part of a shell command, so every valid file name is allowed.
 * @param had number of files that the session already has, for the maximum
 * @returns the valid files; each of the others is in `problems`
 */
export const inspectFiles = async (
  paths: readonly string[],
  rules: FileRules,
  problems: ProblemList,
  had = 0,
): Promise<readonly SessionFile[]> => {
  if (paths.length + had > rules.maxFiles) {
    const most = `at most ${String(rules.maxFiles)} files${had === 0 ? '' : `, of which the session has ${String(had)}`}`;
    problems.add('files.too_many', 'files', `${String(paths.length)} files were given`, most);
    return [];
  }
  const files = withoutDuplicates(await resolvePaths(paths, rules, problems), problems);
  const inspected: SessionFile[] = [];
  for (let start = 0; start < files.length; start += together) {
    const part = files.slice(start, start + together);
    const results = await Promise.all(part.map((file) => inspectOne(file, rules, problems)));
    inspected.push(...results.filter((file) => typeof file === 'object'));
    if (!results.includes('costly')) continue;
    for (const { field, given } of files.slice(start + together)) {
      const reason = `${shown(given)} was not inspected because an earlier file could not be read in time`;
      problems.add('file.not_inspected', field, reason);
    }
    break;
  }
  return inspected;
};
