import { isWithinReach, mayBegin, notTheirs } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { ProblemList } from '@fleet/problems';
import type { SessionPorts } from '../session/session-ports';
import type { SubmissionBody } from './submission-body';

/** Whoever has a key submits as its owner. */
export const checkSubmitter = (principal: Principal, submitter: string, problems: ProblemList): void => {
  if (principal.id === '' || submitter === '' || submitter === principal.id) return;
  problems.add('field.value', 'submitter', 'is not who the key belongs to', `${principal.id}, or nothing`);
};

/**
 * The body as whoever sends it submits it: who they are follows from their key, and never from the body. Nothing else of it is looked at
 * before the proposal is known to be theirs.
 * @param members where the facility says that a proposal is
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
