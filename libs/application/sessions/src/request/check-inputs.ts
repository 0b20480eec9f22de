import type { Principal } from '@fleet/contracts/access';
import { shown } from '@fleet/contracts/schema';
import type { SessionRequest } from '@fleet/contracts/sessions';
import type { ReadableBy, ReadableFiles } from '@fleet/ports';
import type { ProblemList } from '@fleet/problems';

/** What somebody who may act on a session of this proposal may read for it: files of that proposal, and what is theirs. */
export const readableFor = (
  { proposal }: Pick<SessionRequest, 'proposal'>,
  principal: Principal,
  readableBy: ReadableBy,
): ReadableFiles => readableBy({ ...principal, proposals: [...principal.proposals, proposal] });

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
