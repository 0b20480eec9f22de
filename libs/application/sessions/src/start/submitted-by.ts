import { isWithinReach, mayBegin, notTheirs } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { ProblemList } from '@fleet/problems';
import type { SessionPorts } from '../session/session-ports';
import type { SubmissionBody } from './submission-body';

/** The owner of a key is always the submitter. */
export const checkSubmitter = (principal: Principal, submitter: string, problems: ProblemList): void => {
  if (principal.id === '' || submitter === '' || submitter === principal.id) return;
  problems.add('field.value', 'submitter', 'is not the owner of the key', `${principal.id}, or nothing`);
};

/**
 * The body with the submitter of its sender: the identity comes from the key, never from the body. Nothing else of the body is evaluated
 * before access to the proposal is checked.
 * @param members beamlines of a proposal according to the facility
 * @throws Fault `access.denied`
 */
export const submittedBy = async (
  principal: Principal,
  body: SubmissionBody,
  problems: ProblemList,
  members: SessionPorts['members'],
): Promise<SubmissionBody> => {
  const { proposal, beamline, submitter } = body;
  if (
    problems.isEmpty &&
    !(await mayBegin(principal, 'session.submit', { proposal, beamline }, (name) => members.beamlinesOf(name)))
  )
    throw notTheirs(principal, proposal, isWithinReach(principal, { proposal: '', beamline }) ? beamline : '');
  checkSubmitter(principal, submitter, problems);
  return principal.id === '' ? body : { ...body, submitter: principal.id };
};
