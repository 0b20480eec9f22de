import type { SessionUpdate, SessionRow } from '@fleet/contracts/sessions';

/** The page with the newest rows of its sessions; the same object if none of them has moved. */
export const withRows = <R extends Pick<SessionRow, 'id' | 'version'>, T extends { readonly sessions: readonly R[] }>(
  page: T,
  moved: ReadonlyMap<string, R>,
): T => {
  const isNewer = (row: R): boolean => (moved.get(row.id)?.version ?? 0) >= row.version;
  if (!page.sessions.some((row) => moved.has(row.id) && isNewer(row))) return page;
  return { ...page, sessions: page.sessions.map((row) => (isNewer(row) ? (moved.get(row.id) ?? row) : row)) };
};

/** Whether a list must be fetched again: a session is new to it, or may have left or joined its filter. */
export const changesLists = ({ was, session }: SessionUpdate): boolean => was !== session.status;
