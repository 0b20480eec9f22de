import { everyProposal, type Principal } from '@fleet/contracts/access';
import type { HttpRequest } from '../../http/http-types';

const principals = new WeakMap<object, Principal>();

/** The guard knows who asks. */
export const setPrincipal = (request: object, principal: Principal): void => {
  principals.set(request, principal);
};

/** Who asks, as far as it was found out; empty where nobody knows. */
export const nameOfPrincipal = (request: object): string => principals.get(request)?.id ?? '';

/** What they are to the service, as far as it was found out. */
export const roleOfPrincipal = (request: object): Principal['role'] | undefined => principals.get(request)?.role;

/** Who asks, and their proposal where they have just one: what they do counts for it. */
export const accountOfPrincipal = (request: object): { readonly caller: string; readonly proposal: string } => {
  const { id = '', proposals = [] } = principals.get(request) ?? {};
  const [only = ''] = proposals.length === 1 ? proposals : [];
  return { caller: id, proposal: only === everyProposal ? '' : only };
};

/** Who asks; every request that reached a handler has passed the guard. */
export const principalOf = (request: Pick<HttpRequest, 'url'>): Principal => {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error(`nobody was asked for at ${request.url}`);
  return principal;
};
