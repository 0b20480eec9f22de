import { ruleOf, type Action, type Denial } from '@fleet/access';
import type { Principal } from '@fleet/contracts';
import { ApiError } from '../errors/problem-details';

/** Somebody is known, and may not do that. Nothing is said of a thing that they may not see. */
export const denied = ({ id, role, scopes }: Principal, action: Action, denial: Denial): ApiError => {
  const { scope, roles, what } = ruleOf(action);
  const why =
    denial === 'role'
      ? `${id} has the role ${role}, and this is for ${roles.join(', ')}`
      : `the key of ${id} was not made for "${scope}"; it was made for ${scopes.join(', ')}`;
  return new ApiError('access.denied', `Nothing was done: ${why} (${what}).`);
};
