import { basename, parse, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { submitted, type SessionRequest } from '@fleet/contracts/sessions';
import type { ReadableFiles } from '@fleet/ports';
import { ProblemList } from '@fleet/problems';
import { isPathProblem } from '../request/inspect-files';
import { readDirectives } from '../request/read-directives';
import { readSettings } from '../request/read-settings';
import type { SessionKnowledge } from '../session/session-ports';
import type { SubmissionBody } from './submission-body';

/** The default title. A file name may contain anything; a title is a single line. */
export const titleOf = ({ title, files, inputDirectory = '' }: SubmissionBody): string =>
  title === ''
    ? parse(basename(files[0] ?? inputDirectory))
        .name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
        .slice(0, submitted.title.maxLength)
    : title;

/** A path as the session stores it; a file that is missing or unreachable by now keeps its path. */
const resolvedPath = async (path: string, readable: Pick<ReadableFiles, 'leadsTo'>): Promise<string> => {
  try {
    return await readable.leadsTo(path);
  } catch (error) {
    if (!isPathProblem(error)) throw error;
    return resolve(path);
  }
};

/** The files that the submission named, without those found in its folder. */
const namedFiles = ({ submittedAs, inputs, directory }: SessionRequest): readonly string[] => {
  const found = new Set(directory?.files);
  return (submittedAs?.files ?? inputs.map(({ path }) => path)).filter((path) => !found.has(path));
};

/** Ligands of the submission; undefined for none, as in `SubmissionBody`. */
const submittedLigands = ({ submittedAs, ligands }: SessionRequest): SessionRequest['ligands'] => {
  const submitted = submittedAs?.ligands ?? ligands;
  return submitted?.length === 0 ? undefined : submitted;
};

/**
 * Whether a stored session was created from the same body. Files and folders are compared by path, because their content may have changed
 * since.
 */
export const isSameSubmission = async (
  stored: SessionRequest,
  body: SubmissionBody,
  knowledge: Pick<SessionKnowledge, 'programs' | 'checkSettings'>,
  readable: Pick<ReadableFiles, 'leadsTo'>,
): Promise<boolean> => {
  // Before any disk access: a body may name a hundred thousand paths.
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
    directory: inputDirectory === undefined ? undefined : await resolvedPath(inputDirectory, readable),
    files: await Promise.all(body.files.map((path) => resolvedPath(path, readable))),
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
    ligands: submittedLigands(stored),
    settings: stored.submittedAs?.settings ?? stored.settings,
    directives: stored.directives,
    directory: stored.directory?.path,
    files,
    forkedFrom: stored.forkedFrom,
  };
  return isDeepStrictEqual(given, had);
};
