import { realpath } from 'node:fs/promises';
import { basename, parse, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { submitted, type SessionRequest } from '@fleet/contracts';
import type { AgentKnowledge } from '../results/agent-knowledge';
import { isPathProblem } from './inspect-files';
import { ProblemList } from './problem-list';
import { readDirectives } from './read-directives';
import { readSettings } from './read-settings';
import type { SubmissionBody } from './submission-body';

/** A file may be called anything; a title is one line of text, whoever it comes from. */
export const titleOf = ({ title, files, inputDirectory = '' }: SubmissionBody): string =>
  title === ''
    ? parse(basename(files[0] ?? inputDirectory))
        .name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
        .slice(0, submitted.title.maxLength)
    : title;

/** A path as the session stores it; a file that has gone since the first submission, or that cannot be reached, keeps its name. */
const resolvedPath = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isPathProblem(error)) throw error;
    return resolve(path);
  }
};

/** The files that the submission named, without those that were found in its folder. */
const namedFiles = ({ submittedAs, inputs, directory }: SessionRequest): readonly string[] => {
  const found = new Set(directory?.files);
  return (submittedAs?.files ?? inputs.map(({ path }) => path)).filter((path) => !found.has(path));
};

/**
 * Whether a stored session was made from this very body. Files are compared by path, and a folder by its own: their content may have changed
 * since.
 */
export const isSameSubmission = async (
  stored: SessionRequest,
  body: SubmissionBody,
  knowledge: Pick<AgentKnowledge, 'programs' | 'checkSettings'>,
): Promise<boolean> => {
  // Before anything on the disk is asked for: a body may name a hundred thousand paths.
  const files = namedFiles(stored);
  if (body.files.length !== files.length) return false;
  const problems = new ProblemList();
  const settings = readSettings(body.settings, knowledge.programs, problems);
  const directives = readDirectives(body.directives, knowledge, problems);
  if (!problems.isEmpty || body.files.some((file) => file.includes('\0'))) return false;
  const { title, sample, advice, proposal, beamline, submitter, priority, ligands, inputDirectory } = {
    ...body,
    title: titleOf(body),
  };
  const given = {
    title,
    sample,
    advice,
    proposal,
    beamline,
    submitter,
    priority,
    ligands,
    settings,
    directives,
    directory: inputDirectory === undefined ? undefined : await resolvedPath(inputDirectory),
    files: await Promise.all(body.files.map(resolvedPath)),
    forkedFrom: undefined,
  };
  const had = {
    title: stored.title,
    sample: stored.sample,
    advice: stored.advice,
    proposal: stored.proposal,
    beamline: stored.beamline,
    submitter: stored.submitter,
    priority: stored.submittedAs?.priority ?? stored.priority,
    ligands: stored.ligands,
    settings: stored.submittedAs?.settings ?? stored.settings,
    directives: stored.directives,
    directory: stored.directory?.path,
    files,
    forkedFrom: stored.forkedFrom,
  };
  return isDeepStrictEqual(given, had);
};
