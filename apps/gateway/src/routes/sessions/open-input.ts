import type { FileHandle } from 'node:fs/promises';
import { servedInputs } from '@fleet/api-views';
import type { Session, SessionFile } from '@fleet/contracts/sessions';
import type { ReadableFiles } from '@fleet/ports';
import { isPathProblem } from '@fleet/sessions';
import { openPinned, shownPath } from '@fleet/untrusted-files';
import { ApiError } from '../../http/errors/problem-details';

const unreadable = (path: string): ApiError =>
  new ApiError(
    'file.not_found',
    `${shownPath(path)} was submitted, but the gateway cannot read it: it is outside the data folders, or the service has no permission. Ask the operators.`,
  );

const openedOf = async ({ path, pin }: SessionFile, readable: ReadableFiles): Promise<FileHandle | string> => {
  const root = await readable.rootOf(path);
  if (pin === undefined || root === undefined) throw unreadable(path);
  try {
    return await openPinned(root, path, pin);
  } catch (error) {
    throw isPathProblem(error) ? unreadable(path) : error;
  }
};

/**
 * Opens a submitted file of a session for reading, as it was accepted, once a program has used it (`servedInputs`). The
 * caller closes it.
 * @param name its path without the first slash, as in `inputHref`; only recorded files are opened
 * @param readable what the caller may read; for other files the response is that the gateway cannot read it
 * @returns undefined if the session has no such file, or does not serve it
 * @throws ApiError `file.changed` if it is not the accepted one, `file.not_found` if the gateway cannot read it
 */
export const openInput = async (
  session: Session,
  name: string,
  readable: ReadableFiles,
): Promise<{ readonly file: SessionFile; readonly opened: FileHandle } | undefined> => {
  const file = servedInputs(session).find(({ path }) => path === `/${name}`);
  if (file === undefined) return undefined;
  const opened = await openedOf(file, readable);
  if (typeof opened !== 'string') return { file, opened };
  throw new ApiError(
    'file.changed',
    `${shownPath(file.path)} is not available, because it is not the file that was submitted: ${opened}. Submit it in a new session, or resume this one with it, to use it as it is now.`,
  );
};
