import type { Guidance } from '@fleet/contracts/guidance';
import type { Session, SessionHead } from '@fleet/contracts/sessions';

type Tagged = Pick<SessionHead, 'version' | 'status' | 'advised'> & Pick<Session, 'guidance'>;

/** Changes with every transition of the session and every change of its advice, and with nothing else. */
export const entityTagOf = ({ version, status, advised, guidance }: Tagged): string => {
  const revision = guidance?.revision ?? advised ?? 1;
  return `"${String(version)}-${status}${revision > 1 ? `-${String(revision)}` : ''}"`;
};

/** Changes with the guidance of the session, and with nothing else. */
export const guidanceTag = ({ revision }: Pick<Guidance, 'revision'>): string => `"${String(revision)}"`;

/** Whether a session is in the state that a client expects (`If-Match`); empty without the header. */
export const seenBy = (ifMatch: string | undefined): { readonly isSeen?: (session: Tagged) => boolean } =>
  ifMatch === undefined ? {} : { isSeen: (session) => isKnown(ifMatch, entityTagOf(session)) };

/** Whether the client has the current state (`If-None-Match`: a list of tags, or `*`). */
export const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false;
  const given = ifNoneMatch.split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return given.includes(tag) || given.includes('*');
};
