import type { WishSubject } from '@fleet/ports';

/** What a subject is called: the session, and `:3` behind it for the log of a cycle. */
export const nameOfSubject = ({ session, cycle }: WishSubject): string =>
  cycle === undefined ? session : `${session}:${String(cycle)}`;

/** The subject that is called so. */
export const subjectNamed = (name: string): WishSubject => {
  const [session = '', cycle] = name.split(':');
  return cycle === undefined ? { session } : { session, cycle: Number(cycle) };
};
