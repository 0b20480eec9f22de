import { everyProposal, type Principal } from '@fleet/contracts/access';
import type { HttpRequest } from '../../http/http-types';

const principals = new WeakMap<object, Principal>();

/** Set by the guard. */
export const setPrincipal = (request: object, principal: Principal): void => {
  principals.set(request, principal);
};

/** The caller's name, as far as identified; empty if unknown. */
export const nameOfPrincipal = (request: object): string => principals.get(request)?.id ?? '';

/** The caller's role, as far as identified. */
export const roleOfPrincipal = (request: object): Principal['role'] | undefined => principals.get(request)?.role;

/** The caller, and their proposal if they have exactly one: its budget is used. */
export const accountOfPrincipal = (request: object): { readonly caller: string; readonly proposal: string } => {
  const { id = '', proposals = [] } = principals.get(request) ?? {};
  const [only = ''] = proposals.length === 1 ? proposals : [];
  return { caller: id, proposal: only === everyProposal ? '' : only };
};

/** The caller; every request that reaches a handler has passed the guard. */
export const principalOf = (request: Pick<HttpRequest, 'url'>): Principal => {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error(`no principal was set for ${request.url}`);
  return principal;
};
