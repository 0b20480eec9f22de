import { isWithinReach } from '@fleet/access';
import { sessionPath } from '@fleet/api-views';
import type { Principal } from '@fleet/contracts/access';
import type { Session, SessionRow, SimilarSession } from '@fleet/contracts/sessions';
import { contentDigests } from '@fleet/files';
import type { SessionIndex } from '@fleet/ports';

/** Sessions of the same content that are looked at: enough to find one that counts among those that were cancelled. */
const looked = 20;

const similarTo =
  (same: SimilarSession['same']) =>
  ({ id, title, status, outcome, createdAt, advised }: SessionRow): SimilarSession => ({
    sessionId: id,
    // What was asked for later is something else.
    same: advised === undefined ? same : 'data',
    title,
    status,
    createdAt,
    href: sessionPath(id),
    ...(outcome !== undefined && { outcome }),
  });

const rank = ({ same }: SimilarSession): number => (same === 'everything' ? 0 : 1);

/**
 * Other sessions of the same data in the proposal of this one, as far as somebody sees them: duplicates first, then the newest. What was
 * submitted counts; what a resume has added since does not.
 */
export const similarSessions = async (
  session: Pick<Session, 'id' | 'request' | 'guidance'>,
  index: Pick<SessionIndex, 'ofContent'>,
  principal: Principal,
): Promise<readonly SimilarSession[]> => {
  const digests = contentDigests(session);
  if (digests === undefined) return [];
  const [everything, data] = await Promise.all([
    index.ofContent(digests.everything, looked),
    index.ofContent(digests.data, looked),
  ]);
  const same = new Set(everything.map(({ id }) => id));
  const seen = (row: SessionRow): boolean => row.id !== session.id && isWithinReach(principal, row);
  return [
    ...everything.filter(seen).map(similarTo('everything')),
    ...data.filter((row) => seen(row) && !same.has(row.id)).map(similarTo('data')),
  ].sort((one, other) => rank(one) - rank(other));
};

/** Whether its result, or the one that it is about to have, serves for the same submission: what failed or was cancelled has none. */
export const stands = ({ same, status }: SimilarSession): boolean =>
  same === 'everything' && (status === 'running' || status === 'completed' || status === 'unsatisfactory');
