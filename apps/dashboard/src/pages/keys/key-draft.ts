import type { ApiKeyRequest } from '@fleet/contracts/access';
import { scopesOfRole, type AccessScope, type PrincipalRole } from '@fleet/contracts/route';

/** The form of a new key. */
export interface KeyDraft {
  readonly owner: string;
  readonly role: PrincipalRole;
  readonly label: string;
  readonly proposals: string;
  readonly beamlines: string;
  /** Scopes of the role that the key lacks. */
  readonly without: readonly AccessScope[];
  readonly days: string;
}

const namesIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((name) => name !== '');

export const hasProposals = (role: PrincipalRole): boolean => role !== 'admin';
export const hasBeamlines = (role: PrincipalRole): boolean => role !== 'admin' && role !== 'user';

/** The API request; fields that a role lacks are left out. The API reports invalid fields by name. */
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
    // The API reports an invalid number.
    ...(days.trim() !== '' && { expires_in_days: Number(days) }),
  };
};
