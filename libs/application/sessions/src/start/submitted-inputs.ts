import { basename } from 'node:path';
import type { AdviceSource } from '@fleet/contracts/guidance';
import type { SessionFile, SessionRequest } from '@fleet/contracts/sessions';
import { ProblemList } from '@fleet/problems';
import { readInputDirectory, type InputDirectory } from '../request/input-directory';
import { inspectFiles, type FileRules } from '../request/inspect-files';
import type { SubmissionBody } from './submission-body';

/** The inputs of a submission. */
export interface SubmittedInputs {
  readonly inputs: readonly SessionFile[];
  /** False: some were refused. */
  readonly complete: boolean;
  readonly directory?: NonNullable<SessionRequest['directory']>;
  readonly readme?: AdviceSource;
  /** Unused files of the folder, with the reason. */
  readonly leftOut: readonly string[];
}

/** Inspects the files of a folder. A file of an unknown format is skipped; any other problem belongs to the submission. */
const inspectFound = async (
  { files }: InputDirectory,
  rules: FileRules,
  problems: ProblemList,
  had: number,
): Promise<{ readonly inputs: readonly SessionFile[]; readonly leftOut: readonly string[] }> => {
  const found = new ProblemList();
  const inputs = await inspectFiles(files, rules, found, had);
  const unknown = found.all.filter(({ code }) => code === 'file.unknown_format');
  for (const problem of found.all) {
    if (!unknown.includes(problem)) problems.append({ ...problem, field: 'input_directory' });
  }
  return { inputs, leftOut: unknown.map(({ reason }) => reason) };
};

/** Inspects the files that a submission names, and those of its folder. Problems are added to `problems`. */
export const submittedInputs = async (
  { files, inputDirectory }: SubmissionBody,
  rules: FileRules,
  problems: ProblemList,
): Promise<SubmittedInputs> => {
  const named = await inspectFiles(files, rules, problems);
  const complete = named.length === files.length;
  if (inputDirectory === undefined) return { inputs: named, complete: complete && files.length > 0, leftOut: [] };
  const directory = await readInputDirectory(inputDirectory, rules, problems);
  if (directory === undefined) return { inputs: named, complete: false, leftOut: [] };
  const { path, readme } = directory;
  const isNamed = new Set(named.map((file) => file.path));
  const { inputs, leftOut } = await inspectFound(directory, rules, problems, files.length);
  const found = inputs.filter((file) => !isNamed.has(file.path));
  return {
    inputs: [...named, ...found],
    complete,
    directory: { path, files: found.map((file) => file.path) },
    ...(readme !== undefined && { readme }),
    leftOut: [...directory.leftOut, ...leftOut],
  };
};

/** Maximum number of listed names. */
const maxReported = 20;

/** The event text about a folder: which file was read as advice, and which files are not used. */
export const directoryNote = ({ directory, readme, leftOut }: SubmittedInputs): string => {
  if (directory === undefined) return '';
  const read = readme === undefined ? 'no README' : `${readme.file ?? 'README'} is read as advice`;
  const more = leftOut.length > maxReported ? `; and ${String(leftOut.length - maxReported)} more` : '';
  const left = leftOut.length === 0 ? '' : `. Left out: ${leftOut.slice(0, maxReported).join('; ')}${more}`;
  return `; folder ${basename(directory.path)}: ${read}${left}`;
};
