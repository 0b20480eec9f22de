import { join } from 'node:path';
import { may, reachOf } from '@fleet/access';
import type { Principal } from '@fleet/contracts';
import { ApiError } from '../errors/problem-details';
import type { ProblemList } from './problem-list';
import type { SubmissionBody } from './submission-body';

/** Of a submission to a proposal that is not theirs. */
export const notTheirs = ({ id, proposals }: Principal, proposal: string): ApiError => {
  const theirs = proposals.length === 0 ? 'none' : proposals.join(', ');
  return new ApiError(
    'access.denied',
    `Nothing was started: ${id} may not submit to proposal ${proposal}. Proposals of ${id}: ${theirs}.`,
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
 * @throws ApiError `access.denied`
 */
export const submittedBy = (principal: Principal, body: SubmissionBody, problems: ProblemList): SubmissionBody => {
  const { proposal, beamline, submitter } = body;
  if (problems.isEmpty && !may(principal, 'session.submit', { proposal, beamline }))
    throw notTheirs(principal, proposal);
  checkSubmitter(principal, submitter, problems);
  return principal.id === '' ? body : { ...body, submitter: principal.id };
};

/** Where files of theirs may lie: results in the work folder are those of their proposals. */
export const rootsFor = (
  principal: Principal,
  { roots, workRoot }: { readonly roots: readonly string[]; readonly workRoot: string },
): readonly string[] => {
  if (reachOf(principal) === 'all') return roots;
  return roots.flatMap((root) =>
    root === workRoot ? principal.proposals.map((proposal) => join(workRoot, proposal)) : [root],
  );
};
