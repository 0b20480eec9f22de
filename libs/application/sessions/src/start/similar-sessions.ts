import { isWithinReach } from '@fleet/access';
import { sessionPath } from '@fleet/api-views';
import type { Principal } from '@fleet/contracts/access';
import type { Session, SessionRow, SimilarSession } from '@fleet/contracts/sessions';
import { contentDigests } from '@fleet/files';
import type { SessionIndex } from '@fleet/ports';

/** Maximum number of candidates: enough to find a valid one among cancelled ones. */
const maxCandidates = 20;

const similarTo =
  (same: SimilarSession['same']) =>
  ({ id, title, status, outcome, createdAt, advised }: SessionRow): SimilarSession => ({
    sessionId: id,
    // A changed request is a different one.
    same: advised === undefined ? same : 'data',
    title,
    status,
    createdAt,
    href: sessionPath(id),
    ...(outcome !== undefined && { outcome }),
  });

const rank = ({ same }: SimilarSession): number => (same === 'everything' ? 0 : 1);

/**
 * Other sessions of the same data in the same proposal that the caller may see: duplicates first, then the newest. Only submitted files
 * count, not those that a resume added.
 */
export const similarSessions = async (
  session: Pick<Session, 'id' | 'request' | 'guidance'>,
  index: Pick<SessionIndex, 'ofContent'>,
  principal: Principal,
): Promise<readonly SimilarSession[]> => {
  const digests = contentDigests(session);
  if (digests === undefined) return [];
  const data = await index.ofContent(digests.data, maxCandidates);
  // What is the same in everything has the same data. Most data come once, so that one search is the rule.
  const everything = data.length === 0 ? [] : await index.ofContent(digests.everything, maxCandidates);
  const same = new Set(everything.map(({ id }) => id));
  const seen = (row: SessionRow): boolean => row.id !== session.id && isWithinReach(principal, row);
  return [
    ...everything.filter(seen).map(similarTo('everything')),
    ...data.filter((row) => seen(row) && !same.has(row.id)).map(similarTo('data')),
  ].sort((one, other) => rank(one) - rank(other));
};

/** Whether its existing or expected result serves for the same submission: a failed or cancelled session has none. */
export const stands = ({ same, status }: SimilarSession): boolean =>
  same === 'everything' && (status === 'running' || status === 'completed' || status === 'unsatisfactory');
