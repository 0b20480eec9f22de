import { everyProposal, type Principal } from '@fleet/contracts/access';
import { ruleOf, scopesOfRole, type Action, type PrincipalRole } from '@fleet/contracts/route';
import type { DataOwner } from './data-roots';

/** The object of an action: an existing or new session, batch or webhook. */
export interface Resource {
  readonly proposal: string;
  /** Empty: none. */
  readonly beamline: string;
}

/** Sessions with this common property. */
export type Reach = { readonly proposal: string } | { readonly beamline: string };

/** Roles with access to the sessions of their beamlines. The submitter states the beamline, so it gives users no access. */
const atBeamlines: readonly PrincipalRole[] = ['staff', 'kiosk', 'service'];

/** Whether this role has access to the sessions of its beamlines. */
export const hasBeamlines = (role: PrincipalRole): boolean => atBeamlines.includes(role);

/** Any caller of a gateway without keys: it runs on their own machine. */
export const anyone: Principal = {
  id: '',
  role: 'admin',
  proposals: [],
  beamlines: [],
  scopes: scopesOfRole('admin'),
};

/** The sessions that a principal may see: all, or those that match one of these. */
export const reachOf = ({ role, proposals, beamlines }: Principal): 'all' | readonly Reach[] => {
  if (role === 'admin') return 'all';
  const ofBeamlines = hasBeamlines(role) ? beamlines : [];
  return [
    ...[...new Set(proposals)].filter((name) => name !== everyProposal).map((proposal) => ({ proposal })),
    ...[...new Set(ofBeamlines)].map((beamline) => ({ beamline })),
  ];
};

/** Whether a principal may see objects of this proposal and beamline. The empty beamline matches nothing. */
export const isWithinReach = (principal: Principal, { proposal, beamline }: Resource): boolean => {
  const reach = reachOf(principal);
  if (reach === 'all') return true;
  return reach.some((one) =>
    'proposal' in one ? one.proposal === proposal : one.beamline === beamline && beamline !== '',
  );
};

/** Whether an administrator has created this key for all proposals of its beamlines, as for data acquisition. */
const isForEveryProposal = ({ role, proposals }: Principal): boolean =>
  role === 'service' && proposals.includes(everyProposal);

/**
 * Whether a new object may belong to this proposal and beamline. A beamline stated by the submitter gives no access: the facility must
 * confirm that the proposal is there, or the key must be for all proposals.
 * @param beamlinesOf beamlines of a proposal according to the facility; called only if needed
 */
export const mayBegin = async (
  principal: Principal,
  action: Action,
  { proposal, beamline }: Resource,
  beamlinesOf: (proposal: string) => Promise<readonly string[]>,
): Promise<boolean> => {
  if (may(principal, action, { proposal, beamline: '' })) return true;
  if (!may(principal, action, { proposal, beamline })) return false;
  return isForEveryProposal(principal) || (await beamlinesOf(proposal)).includes(beamline);
};

/**
 * Whether the facility, a key of that beamline or an administrator confirms that a proposal is at a beamline.
 * @param beamlinesOf beamlines of a proposal according to the facility; called only if needed
 */
export const isKnownAt = async (
  { role, beamlines }: Principal,
  { proposal, beamline }: Resource,
  beamlinesOf: (proposal: string) => Promise<readonly string[]>,
): Promise<boolean> => {
  if (role === 'admin' || (hasBeamlines(role) && beamlines.includes(beamline))) return true;
  return (await beamlinesOf(proposal)).includes(beamline);
};

/**
 * Whether a principal may read a file, list a folder or submit from it. Raw data are for the members of their proposal, and for staff and
 * services of the beamline where they were taken: according to the template of the data root, otherwise to the facility.
 * @param beamlinesOf beamlines of a proposal according to the facility; called only if needed
 */
export const mayRead = async (
  principal: Principal,
  owner: DataOwner,
  beamlinesOf: (proposal: string) => Promise<readonly string[]>,
): Promise<boolean> => {
  const reach = reachOf(principal);
  if (reach === 'all' || owner.of === 'everybody') return true;
  if (owner.of === 'administrators') return false;
  const { proposal, beamline, membersOnly } = owner;
  if (reach.some((one) => 'proposal' in one && one.proposal === proposal)) return true;
  const theirs = reach.flatMap((one) => ('beamline' in one && one.beamline !== '' ? [one.beamline] : []));
  if (membersOnly || theirs.length === 0) return false;
  const places = beamline === undefined ? await beamlinesOf(proposal) : [beamline];
  return places.some((place) => theirs.includes(place));
};

/**
 * Why an action is denied:
 * - `role`: the role does not allow it;
 * - `scope`: the key lacks the scope.
 */
export type Denial = 'role' | 'scope';

/** Why an action is denied, independent of its object; undefined if it is allowed. */
export const denialOf = (principal: Principal, action: Action): Denial | undefined => {
  const { roles, scope } = ruleOf(action);
  if (!roles.includes(principal.role)) return 'role';
  return principal.scopes.includes(scope) ? undefined : 'scope';
};

/**
 * Why an action is denied; undefined if it is allowed. `reach`: the object belongs to another user and appears as missing. It is checked
 * first, so that nothing else about the object is disclosed.
 * @param resource of an action on sessions or batches; absent: only the action is checked
 */
export const refusalOf = (principal: Principal, action: Action, resource?: Resource): Denial | 'reach' | undefined => {
  const isHidden = ruleOf(action).on !== 'service' && resource !== undefined && !isWithinReach(principal, resource);
  return isHidden ? 'reach' : denialOf(principal, action);
};

/** Whether a principal may perform an action on an object. */
export const may = (principal: Principal, action: Action, resource?: Resource): boolean =>
  refusalOf(principal, action, resource) === undefined;
