import { isWithinReach, mayBegin } from '@fleet/access';
import type { Principal } from '@fleet/contracts';
import { ApiError } from '../errors/problem-details';
import type { ProblemList } from './problem-list';
import type { SubmissionBody } from './submission-body';

/**
 * Of a submission to a proposal that is not theirs.
 * @param beamline of theirs where they say it is
 */
export const notTheirs = ({ id, proposals }: Principal, proposal: string, beamline = ''): ApiError => {
  const theirs = proposals.length === 0 ? 'none' : proposals.join(', ');
  const there =
    beamline === '' ? '' : ` The facility does not say that proposal ${proposal} is at beamline ${beamline}.`;
  return new ApiError(
    'access.denied',
    `Nothing was started: ${id} may not submit to proposal ${proposal}. Proposals of ${id}: ${theirs}.${there}`,
    [{ field: 'proposal', reason: `is not one of ${id}'s`, allowed: theirs, code: 'field.value' }],
  );
};

/** Whoever has a key submits as its owner. */
export const checkSubmitter = (principal: Principal, submitter: string, problems: ProblemList): void => {
  if (principal.id === '' || submitter === '' || submitter === principal.id) return;
  problems.add('field.value', 'submitter', 'is not who the key belongs to', `${principal.id}, or nothing`);
};

/**
 * The body as whoever sends it submits it: who they are follows from their key, and never from the body. Nothing else of it is looked at
 * before the proposal is known to be theirs.
 * @param beamlinesOf where the facility says that a proposal is
 * @throws ApiError `access.denied`
 */
export const submittedBy = async (
  principal: Principal,
  body: SubmissionBody,
  problems: ProblemList,
  beamlinesOf: (proposal: string) => Promise<readonly string[]>,
): Promise<SubmissionBody> => {
  const { proposal, beamline, submitter } = body;
  if (problems.isEmpty && !(await mayBegin(principal, 'session.submit', { proposal, beamline }, beamlinesOf)))
    throw notTheirs(principal, proposal, isWithinReach(principal, { proposal: '', beamline }) ? beamline : '');
  checkSubmitter(principal, submitter, problems);
  return principal.id === '' ? body : { ...body, submitter: principal.id };
};
