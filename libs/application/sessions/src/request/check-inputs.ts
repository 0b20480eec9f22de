import type { Principal } from '@fleet/contracts/access';
import { shown } from '@fleet/contracts/schema';
import type { SessionRequest } from '@fleet/contracts/sessions';
import type { ReadableBy, ReadableFiles } from '@fleet/ports';
import type { ProblemList } from '@fleet/problems';
import { existing } from './inspect-files';

/** Files that a principal with access to a session of this proposal may use in it: those of the proposal, and their own readable ones. */
export const readableFor = (
  { proposal }: Pick<SessionRequest, 'proposal'>,
  principal: Principal,
  readableBy: ReadableBy,
): ReadableFiles => readableBy({ ...principal, proposals: [...principal.proposals, proposal] });

/** A resume reads the files again. A file of another proposal that the principal may not read is reported as missing. */
export const checkInputs = async (
  request: SessionRequest,
  principal: Principal,
  readableBy: ReadableBy,
  problems: ProblemList,
): Promise<void> => {
  const readable = readableFor(request, principal, readableBy);
  for (const { path } of request.inputs)
    if (!(await readable.mayHold(path)))
      problems.add('file.missing', 'files', `${shown(path)} does not exist`, existing);
};
