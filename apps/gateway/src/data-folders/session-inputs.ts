import { shown, type Principal, type SessionRequest } from '@fleet/contracts';
import type { ProblemList } from '../submission/problem-list';
import type { ReadableBy } from './readable-by';
import type { ReadableFolders } from './readable-folders';

/** What somebody who may act on a session of this proposal may read for it: files of that proposal, and what is theirs. */
export const readableFor = (
  { proposal }: Pick<SessionRequest, 'proposal'>,
  principal: Principal,
  readableBy: ReadableBy,
): ReadableFolders => readableBy({ ...principal, proposals: [...principal.proposals, proposal] });

/** Whoever lets a session continue reads its files again. One that another proposal has, and they not, is told as one that does not exist. */
export const checkInputs = async (
  request: SessionRequest,
  principal: Principal,
  readableBy: ReadableBy,
  problems: ProblemList,
): Promise<void> => {
  const readable = readableFor(request, principal, readableBy);
  for (const { path } of request.inputs)
    if (!(await readable.mayHold(path))) problems.add('file.missing', 'files', `${shown(path)} does not exist`);
};
