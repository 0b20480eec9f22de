import { relative } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { asFault, outside } from './folder-faults';
import { sessionFolderPath } from './folder-names';
import { holdFolder, type Held, type HeldFolder } from './held-folder';

/** With the session's folder, made where it is missing and reached through no link. */
export const inSessionFolder = async <T>(
  workRoot: string,
  session: Session,
  act: (held: Held & { folder: HeldFolder }) => Promise<T>,
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
