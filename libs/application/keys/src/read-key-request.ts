import { apiKeyRequestSchema, everyProposal, type ApiKeyRequest } from '@fleet/contracts/access';
import { scopesOfRole } from '@fleet/contracts/route';
import { routes } from '@fleet/contracts/routes';
import { withDefaults } from '@fleet/contracts/schema';
import { collectBody, ProblemList, refuseProblems } from '@fleet/problems';

const checkReach = ({ role, proposals = [], beamlines = [] }: ApiKeyRequest, problems: ProblemList): void => {
  if (role === 'admin' && proposals.length > 0)
    problems.add('field.value', 'proposals', 'is not allowed for an administrator, who sees everything', 'nothing');
  if ((role === 'admin' || role === 'user') && beamlines.length > 0)
    problems.add('field.value', 'beamlines', `is given for the role ${role}`, 'only with staff, kiosk or service');
};

const checkEveryProposal = ({ role, proposals = [], beamlines = [] }: ApiKeyRequest, problems: ProblemList): void => {
  if (!proposals.includes(everyProposal) || (role === 'service' && beamlines.length > 0)) return;
  const allowed = `"${everyProposal}" only with role service and beamlines`;
  problems.add('field.value', 'proposals', `holds "${everyProposal}"`, allowed);
};

const checkScopes = ({ role, scopes = [] }: ApiKeyRequest, problems: ProblemList): void => {
  const allowed = scopesOfRole(role);
  const beyond = scopes.filter((scope) => !allowed.includes(scope));
  if (beyond.length > 0)
    problems.add('field.value', 'scopes', `holds ${beyond.join(', ')}, which no ${role} has`, allowed.join(', '));
};

const checkRole = (request: ApiKeyRequest, problems: ProblemList): void => {
  checkReach(request, problems);
  if (request.role !== 'admin') checkEveryProposal(request, problems);
  checkScopes(request, problems);
};

/**
 * The properties of a new key, with defaults.
 * @throws Fault `request.invalid` with all problems
 */
export const readKeyRequest = (body: unknown, isFirst: boolean): Required<ApiKeyRequest> => {
  const problems = new ProblemList();
  const given = collectBody(routes.keys.create, body, problems);
  const request = withDefaults(apiKeyRequestSchema, given) as ApiKeyRequest &
    Required<Pick<ApiKeyRequest, 'label' | 'expires_in_days'>>;
  if (problems.isEmpty) checkRole(request, problems);
  if (problems.isEmpty && isFirst && request.role !== 'admin')
    problems.add('field.value', 'role', 'is not admin; once the first key exists, every request needs a key', 'admin');
  refuseProblems(problems);
  const { role, proposals = [], beamlines = [], scopes = scopesOfRole(role) } = request;
  return { ...request, label: request.label.trim(), proposals, beamlines, scopes: [...new Set(scopes)] };
};
