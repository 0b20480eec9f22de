import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import { ruleOf, type Action } from '@fleet/contracts/route';
import type { Denial } from './may';

/** The caller is authenticated but lacks permission. The message discloses nothing about the object. */
export const denied = ({ id, role, scopes }: Principal, action: Action, denial: Denial): Fault => {
  const { scope, roles, what } = ruleOf(action);
  const why =
    denial === 'role'
      ? `${id} has the role ${role}, and this is for ${roles.join(', ')}`
      : `the key of ${id} was not made for "${scope}"; it was made for ${scopes.join(', ')}`;
  return new Fault('access.denied', 'caller', `Nothing was done: ${why} (${what}).`);
};

/**
 * For a submission to another user's proposal.
 * @param beamline the caller's beamline, if they claim that the proposal is there
 */
export const notTheirs = ({ id, proposals }: Principal, proposal: string, beamline = ''): Fault => {
  const theirs = proposals.length === 0 ? 'none' : proposals.join(', ');
  const there = beamline === '' ? '' : ` Proposal ${proposal} is not assigned to beamline ${beamline}.`;
  return new Fault(
    'access.denied',
    'caller',
    `Nothing was started: ${id} may not submit to proposal ${proposal}. Proposals of ${id}: ${theirs}.${there}`,
    { problems: [{ field: 'proposal', reason: `is not one of ${id}'s`, allowed: theirs, code: 'field.value' }] },
  );
};
