import { doneBy } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { routes } from '@fleet/contracts/routes';
import { collectBody, ProblemList, refuseProblems } from '@fleet/problems';
import type { Trust } from './recover-sessions';

/**
 * The confirmed digests and their principal; undefined if there are none.
 * @throws Fault `request.invalid` with all problems
 */
export const readTrust = (body: unknown, principal: Principal): Trust | undefined => {
  const problems = new ProblemList();
  const { trust, by } = collectBody(routes.recoveries.recover, body, problems);
  if (trust === undefined && by !== undefined)
    problems.add('field.value', 'by', 'is given without trust', 'trust and by together');
  if (trust !== undefined && by === undefined && problems.isEmpty)
    problems.add('field.missing', 'by', 'is missing', 'who trusts these files: one line of text');
  refuseProblems(problems);
  return trust === undefined ? undefined : { digests: trust, by: doneBy(principal, by ?? '') };
};
