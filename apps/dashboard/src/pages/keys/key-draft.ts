import type { ApiKeyRequest } from '@fleet/contracts/access';
import { scopesOfRole, type AccessScope, type PrincipalRole } from '@fleet/contracts/route';

/** What is typed of a key that is to be made. */
export interface KeyDraft {
  readonly owner: string;
  readonly role: PrincipalRole;
  readonly label: string;
  readonly proposals: string;
  readonly beamlines: string;
  /** What the role may and the key may not. */
  readonly without: readonly AccessScope[];
  readonly days: string;
}

const namesIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((name) => name !== '');

export const hasProposals = (role: PrincipalRole): boolean => role !== 'admin';
export const hasBeamlines = (role: PrincipalRole): boolean => role !== 'admin' && role !== 'user';

/** What is asked of the API; what a role has none of is left out. The API refuses what is wrong, by name. */
export const keyRequestOf = ({ owner, role, label, proposals, beamlines, without, days }: KeyDraft): ApiKeyRequest => {
  const scopes = scopesOfRole(role).filter((scope) => !without.includes(scope));
  const isNarrowed = scopes.length < scopesOfRole(role).length;
  return {
    owner: owner.trim(),
    role,
    ...(label.trim() !== '' && { label: label.trim() }),
    ...(hasProposals(role) && namesIn(proposals).length > 0 && { proposals: namesIn(proposals) }),
    ...(hasBeamlines(role) && namesIn(beamlines).length > 0 && { beamlines: namesIn(beamlines) }),
    ...(isNarrowed && { scopes }),
    // What is not a number the API refuses, by name.
    ...(days.trim() !== '' && { expires_in_days: Number(days) }),
  };
};
