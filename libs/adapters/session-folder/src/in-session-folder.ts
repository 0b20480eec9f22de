import { relative } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { asFault, outside } from './folder-faults';
import { sessionFolderPath } from './folder-names';
import { holdFolder, type OpenedFolder, type HeldFolder } from './held-folder';

/** Calls the function with the session's folder, created if missing and reached without links. */
export const inSessionFolder = async <T>(
  workRoot: string,
  session: Session,
  act: (held: OpenedFolder & { folder: HeldFolder }) => Promise<T>,
): Promise<T> => {
  const { proposal } = session.request;
  const expected = sessionFolderPath(workRoot, proposal, session.id);
  if (relative(expected, session.folder) !== '') throw outside(session.folder);
  const held = await holdFolder(workRoot, [proposal, session.id]);
  try {
    return await act(held);
  } catch (error) {
    throw asFault(error, expected);
  } finally {
    await held.folder.close();
  }
};
