import { everyProposal, type Principal } from '@fleet/contracts/access';
import { ruleOf, scopesOfRole, type Action, type PrincipalRole } from '@fleet/contracts/route';
import type { DataOwner } from './data-roots';

/** What is acted on: a session, a batch or a webhook, or one that is to be. */
export interface Resource {
  readonly proposal: string;
  /** Empty: of none. */
  readonly beamline: string;
}

/** Sessions that have this in common. */
export type Reach = { readonly proposal: string } | { readonly beamline: string };

/** Their sessions are those of beamlines, too. A beamline is what a submitter says, so that it gives a user nothing. */
const atBeamlines: readonly PrincipalRole[] = ['staff', 'kiosk', 'service'];

/** Whether people of this role see the sessions of their beamlines. */
export const hasBeamlines = (role: PrincipalRole): boolean => atBeamlines.includes(role);

/** Whoever asks a gateway that has no keys: it is on their own machine. */
export const anyone: Principal = {
  id: '',
  role: 'admin',
  proposals: [],
  beamlines: [],
  scopes: scopesOfRole('admin'),
};

/** Which sessions somebody sees: all, or those that one of these describes. */
export const reachOf = ({ role, proposals, beamlines }: Principal): 'all' | readonly Reach[] => {
  if (role === 'admin') return 'all';
  const ofBeamlines = hasBeamlines(role) ? beamlines : [];
  return [
    ...[...new Set(proposals)].filter((name) => name !== everyProposal).map((proposal) => ({ proposal })),
    ...[...new Set(ofBeamlines)].map((beamline) => ({ beamline })),
  ];
};

/** Whether what belongs to this proposal and beamline exists for them. Nothing belongs to the beamline of no name. */
export const isWithinReach = (principal: Principal, { proposal, beamline }: Resource): boolean => {
  const reach = reachOf(principal);
  if (reach === 'all') return true;
  return reach.some((one) =>
    'proposal' in one ? one.proposal === proposal : one.beamline === beamline && beamline !== '',
  );
};

/** Whether an administrator has made this key for all proposals of its beamlines: data acquisition takes what comes. */
const isForEveryProposal = ({ role, proposals }: Principal): boolean =>
  role === 'service' && proposals.includes(everyProposal);

/**
 * Whether something new may belong to this proposal and beamline. What a submitter says of a beamline makes no proposal theirs: the facility
 * has to say that the proposal is there, or the key that all are.
 * @param beamlinesOf where the facility says that a proposal is; asked where it matters
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
 * Whether somebody besides the submitter says that a proposal is at a beamline: the facility, a key of that beamline or an administrator.
 * @param beamlinesOf where the facility says that a proposal is; asked where it matters
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
 * Whether somebody may read a file, list a folder or submit from it. Raw data are for the members of their proposal, and for staff and services
 * of the beamline where they were taken: the template of the data root says where that was, or else the facility says where the proposal is.
 * @param beamlinesOf where the facility says that a proposal is; asked where it matters
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
 * Why not:
 * - `role`: nobody of this role does that;
 * - `scope`: the key was made for something else.
 */
export type Denial = 'role' | 'scope';

/** What stands in the way of an action, whatever it is done to; undefined where nothing does. */
export const denialOf = (principal: Principal, action: Action): Denial | undefined => {
  const { roles, scope } = ruleOf(action);
  if (!roles.includes(principal.role)) return 'role';
  return principal.scopes.includes(scope) ? undefined : 'scope';
};

/**
 * What stands in the way; undefined where nothing does. `reach`: it is another's, and does not exist for them. That comes first: whoever may
 * not see a thing learns nothing else about it.
 * @param resource of an action on sessions or batches; absent: what is asked is whether they may do it at all
 */
export const refusalOf = (principal: Principal, action: Action, resource?: Resource): Denial | 'reach' | undefined => {
  const isHidden = ruleOf(action).on !== 'service' && resource !== undefined && !isWithinReach(principal, resource);
  return isHidden ? 'reach' : denialOf(principal, action);
};

/** The one policy: whether somebody may do something with something. */
export const may = (principal: Principal, action: Action, resource?: Resource): boolean =>
  refusalOf(principal, action, resource) === undefined;
