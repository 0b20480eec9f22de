import { doneBy } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { DeletionRequest } from '@fleet/contracts/retention';
import { routes } from '@fleet/contracts/routes';
import type { DataOwner } from '@fleet/ports';
import { collectBody, ProblemList, refuseProblems } from '@fleet/problems';
import type { OrderedDeletion } from './delete-of-owner';

/** A deletion on request, with the responsible person and the reason. */
interface ReadDeletion extends OrderedDeletion {
  readonly reason: string;
  readonly by: string;
}

/** The owner of the data. Problems are added to `problems`. */
const ownerOf = ({ proposal, submitter }: Partial<DeletionRequest>, problems: ProblemList): DataOwner => {
  if ((proposal === undefined) === (submitter === undefined))
    problems.add(
      'field.value',
      'proposal',
      'either both or neither of proposal and submitter are given',
      'either proposal or submitter',
    );
  return proposal === undefined ? { submitter: submitter ?? '' } : { proposal };
};

/** @throws Fault `request.invalid` with all problems */
export const readDeletion = (body: unknown, principal: Principal): ReadDeletion => {
  const problems = new ProblemList();
  const request = collectBody(routes.retention.deleteOf, body, problems);
  const owner = ownerOf(request, problems);
  refuseProblems(problems);
  const { reason = '', dryRun = false, after, by = '' } = request;
  const rule = `on request: ${reason}`;
  return { owner, reason, rule, dryRun, by: doneBy(principal, by), ...(after !== undefined && { after }) };
};
