import { scopesOfRole } from '@fleet/access';
import { apiKeyWishSchema, everyProposal, withDefaults, type ApiKeyWish } from '@fleet/contracts';
import type { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';

const checkReach = ({ role, proposals = [], beamlines = [] }: ApiKeyWish, problems: ProblemList): void => {
  if (role === 'admin' && proposals.length > 0)
    problems.add('field.value', 'proposals', 'is given for an administrator, who sees all', 'nothing');
  if ((role === 'admin' || role === 'user') && beamlines.length > 0)
    problems.add('field.value', 'beamlines', `is given for the role ${role}`, 'only with staff, kiosk or service');
};

const checkEveryProposal = ({ role, proposals = [], beamlines = [] }: ApiKeyWish, problems: ProblemList): void => {
  if (!proposals.includes(everyProposal) || (role === 'service' && beamlines.length > 0)) return;
  const allowed = `"${everyProposal}" only with role service and beamlines`;
  problems.add('field.value', 'proposals', `holds "${everyProposal}"`, allowed);
};

const checkScopes = ({ role, scopes = [] }: ApiKeyWish, problems: ProblemList): void => {
  const allowed = scopesOfRole(role);
  const beyond = scopes.filter((scope) => !allowed.includes(scope));
  if (beyond.length > 0)
    problems.add('field.value', 'scopes', `holds ${beyond.join(', ')}, which no ${role} has`, allowed.join(', '));
};

const checkRole = (wish: ApiKeyWish, problems: ProblemList): void => {
  checkReach(wish, problems);
  if (wish.role !== 'admin') checkEveryProposal(wish, problems);
  checkScopes(wish, problems);
};

/** What a key is to be, with everything that was left out. Whatever is wrong goes to `problems`; the result is then to be thrown away. */
export const readKeyWish = (body: unknown, isFirst: boolean, problems: ProblemList): Required<ApiKeyWish> => {
  const given = readBody(apiKeyWishSchema, body, problems);
  const wish = withDefaults(apiKeyWishSchema, given) as ApiKeyWish &
    Required<Pick<ApiKeyWish, 'label' | 'expires_in_days'>>;
  if (problems.isEmpty) checkRole(wish, problems);
  if (problems.isEmpty && isFirst && wish.role !== 'admin')
    problems.add('field.value', 'role', 'is not admin, and from the first key on nobody gets in without one', 'admin');
  const { role, proposals = [], beamlines = [] } = wish;
  const scopes = wish.scopes ?? (problems.isEmpty ? scopesOfRole(role) : []);
  return { ...wish, label: wish.label.trim(), proposals, beamlines, scopes: [...new Set(scopes)] };
};
