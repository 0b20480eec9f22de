import type { SessionHead } from '@fleet/contracts';

/** Changes with every transition of the session, and with nothing else. */
export const entityTagOf = (head: Pick<SessionHead, 'version' | 'status'>): string =>
  `"${String(head.version)}-${head.status}"`;

/** Whether the client has this very state already (`If-None-Match`: a list of tags, or `*`). */
export const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false;
  const given = ifNoneMatch.split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return given.includes(tag) || given.includes('*');
};
