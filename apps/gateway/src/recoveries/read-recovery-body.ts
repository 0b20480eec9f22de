import { recoveryWishSchema } from '@fleet/contracts';
import type { Trust } from '@fleet/recovery';
import type { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';

/** What somebody trusts, and who; undefined where nothing is. Whatever is wrong goes to `problems`. */
export const readRecoveryBody = (body: unknown, problems: ProblemList): Trust | undefined => {
  const { trust, by } = readBody(recoveryWishSchema, body ?? {}, problems);
  if (trust === undefined) {
    if (by !== undefined) problems.add('field.value', 'by', 'is given without trust', 'trust and by together');
    return undefined;
  }
  if (by === undefined && problems.isEmpty)
    problems.add('field.missing', 'by', 'is missing', 'who trusts these files: one line of text');
  return { digests: trust, by: (by ?? '').trim() };
};
