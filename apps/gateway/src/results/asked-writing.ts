import type { Clock, ModelWish, ModelWishes, Numbered, Writings } from '@fleet/ports';
import type { Session } from '@fleet/contracts';
import { ApiError } from '../errors/problem-details';

/** Models that have failed for a subject as it is are not asked about it again for so long: each try is paid. */
const pauseMs = 600_000;
/** Leaves room for when it may be asked again. */
const mostWhy = 900;

/** What every text has that models write on demand. */
interface Kept {
  readonly writtenAt: string;
  readonly parts?: unknown;
  readonly failed?: string;
  readonly why?: string;
}

interface WritingParts<T extends Kept> {
  readonly wishes: Pick<ModelWishes, 'ask' | 'find'>;
  readonly writings: Pick<Writings<T>, 'newest' | 'next'>;
  readonly clock: Clock;
}

/** A subject: the session as a whole, or one of its cycles; and whether a text is of it as it is now. */
interface Subject<T> {
  readonly session: Session;
  readonly cycle?: number;
  readonly isCurrent: (kept: T) => boolean;
}

/** What there is of a text: the wish that nobody has answered, and the outcome of the last one. */
export interface Written<T> {
  readonly wish: ModelWish | undefined;
  readonly kept: T | undefined;
}

const nameOf = ({ session, cycle }: Subject<never>): { readonly session: string; readonly cycle?: number } => ({
  session: session.id,
  ...(cycle !== undefined && { cycle }),
});

/** What models have written of a subject, and are to write. */
export const writtenOf = async <T extends Kept>(
  { wishes, writings }: WritingParts<T>,
  subject: Subject<T>,
): Promise<Written<T>> => {
  // The wish first: it goes when what it wished for is there.
  const wish = await wishes.find(nameOf(subject));
  return { wish, kept: (await writings.newest(subject.session, subject.cycle))?.kept };
};

/** The failure of the last try, with when the next one may be made; undefined where it may be made, or is under way. */
const failedJustNow = async <T extends Kept>(
  { wishes, clock }: WritingParts<T>,
  subject: Subject<T>,
  newest: Numbered<T> | undefined,
): Promise<T | undefined> => {
  const kept = newest?.kept;
  if (kept?.failed === undefined || !subject.isCurrent(kept)) return undefined;
  const againAt = Date.parse(kept.writtenAt) + pauseMs;
  if (againAt <= clock.now() || (await wishes.find(nameOf(subject))) !== undefined) return undefined;
  const { why = kept.failed } = kept;
  const again = `it may be asked again from ${new Date(againAt).toISOString()}, or when the session has changed`;
  return { ...kept, why: `${why.slice(0, mostWhy)}; ${again}` };
};

/**
 * Wishes that a model writes it, unless one has, has failed just now, or none is to be asked.
 * @throws ApiError `session.not_found`: it was deleted meanwhile
 */
export const askToWrite = async <T extends Kept>(parts: WritingParts<T>, subject: Subject<T>): Promise<Written<T>> => {
  const { session, cycle, isCurrent } = subject;
  const newest = await parts.writings.newest(session, cycle);
  const isThere = newest?.kept.parts !== undefined && isCurrent(newest.kept);
  if (isThere || session.request.settings.use_rules_only) return { wish: undefined, kept: newest?.kept };
  const refused = await failedJustNow(parts, subject, newest);
  if (refused !== undefined) return { wish: undefined, kept: refused };
  const wish = await parts.wishes.ask(nameOf(subject), await parts.writings.next(session, cycle));
  if (wish !== undefined) return { wish, kept: newest?.kept };
  throw new ApiError('session.not_found', `There is no session ${session.id} any more.`);
};
