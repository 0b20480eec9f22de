import { claimedSchema, type Claimed, type ClaimMapping, type Principal } from '@fleet/contracts/access';
import { scopesOfRole, type PrincipalRole } from '@fleet/contracts/route';
import { mistakesIn } from '@fleet/contracts/schema';
import { hasBeamlines } from './may';

/** The claims of an identity provider about a user. */
export type Claims = Readonly<Record<string, unknown>>;

/** The principal, or the problems of the claims, one sentence each. */
export type Identified = { readonly principal: Principal } | { readonly mistakes: readonly string[] };

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const valueAt = (claims: Claims, path: readonly string[]): unknown => path.reduce<unknown>(inside, claims);

/** Providers may write a list of one as a text, and omit an empty one. */
const listAt = (claims: Claims, path: readonly string[]): readonly unknown[] => {
  const value = valueAt(claims, path);
  if (Array.isArray(value)) return value;
  return value === undefined || value === null || value === '' ? [] : [value];
};

const namesAt = (claims: Claims, { claim, prefix }: ClaimMapping['proposals']): readonly unknown[] => {
  const names = listAt(claims, claim).flatMap((entry) => {
    if (typeof entry !== 'string') return [entry];
    return entry.startsWith(prefix) ? [entry.slice(prefix.length)] : [];
  });
  return [...new Set(names)];
};

/** Roles by power: a member of several groups gets the first of them. */
const byPower = ['admin', 'staff', 'service', 'kiosk'] as const satisfies readonly PrincipalRole[];

const roleIn = (claims: Claims, { groups, roles }: ClaimMapping): PrincipalRole => {
  const theirs = listAt(claims, groups);
  return byPower.find((role) => roles[role]?.some((group) => theirs.includes(group)) === true) ?? 'user';
};

/** An unverified address is only what a user typed into a form. */
const isUnconfirmedAddress = (claims: Claims, [name, ...more]: readonly string[]): boolean =>
  name === 'email' && more.length === 0 && claims['email_verified'] !== true;

const claimNames = ({ owner, proposals, beamlines }: ClaimMapping): Readonly<Record<string, string>> => ({
  owner: owner.join('.'),
  proposals: proposals.claim.join('.'),
  beamlines: beamlines.claim.join('.'),
});

const mistakesOf = (claims: Claims, claimed: unknown, mapping: ClaimMapping): readonly string[] => {
  const named = claimNames(mapping);
  const mistakes = mistakesIn(claimedSchema, claimed, { most: 5 }).map(
    ({ path: [member = ''], reason, allowed }) =>
      `The claim ${named[member] ?? ''} (${String(member)}): ${reason}; allowed: ${allowed}.`,
  );
  return isUnconfirmedAddress(claims, mapping.owner)
    ? ['The claim email (owner) is not confirmed: email_verified is not true.', ...mistakes]
    : mistakes;
};

/**
 * The principal according to the identity provider's claims. Without a group the role is user, and without proposals nothing is visible: a
 * missing claim never grants anything.
 */
export const principalOfClaims = (claims: Claims, mapping: ClaimMapping): Identified => {
  const claimed = {
    owner: valueAt(claims, mapping.owner),
    proposals: namesAt(claims, mapping.proposals),
    beamlines: namesAt(claims, mapping.beamlines),
  };
  const mistakes = mistakesOf(claims, claimed, mapping);
  if (mistakes.length > 0) return { mistakes };
  const role = roleIn(claims, mapping);
  const { owner: id, proposals, beamlines } = claimed as Claimed;
  const theirs = hasBeamlines(role) ? beamlines : [];
  return { principal: { id, role, proposals, beamlines: theirs, scopes: scopesOfRole(role) } };
};
