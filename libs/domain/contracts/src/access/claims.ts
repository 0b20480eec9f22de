import { namesOfPrincipal, principalId } from './access';
import { closed, list, record, text, type Described, type JsonSchema } from '../schema/schema';

const path = (what: string, keywords: JsonSchema = {}) =>
  list(text(undefined, { minLength: 1, maxLength: 200 }), what, {
    minItems: 1,
    maxItems: 5,
    'x-allowed': 'path of a claim: a list of names, from the outermost to the innermost',
    ...keywords,
  });
const groups = (what: string) =>
  list(text(undefined, { minLength: 1, maxLength: 200 }), `groups whose members are ${what}`, { maxItems: 100 });
const namesIn = (what: string, claim: string) => {
  const members = {
    claim: path(`claim with the ${what}`, { default: [claim] }),
    prefix: text(`prefix of entries that name ${what}; it is removed, and other entries are ignored`, {
      default: '',
      maxLength: 200,
    }),
  };
  return {
    partial: record({}, members, `the ${what} of a user`),
    whole: { ...record(members, {}, `the ${what} of a user`), default: { claim: [claim], prefix: '' } },
  };
};

const proposals = namesIn('proposals', 'proposals');
const beamlines = namesIn('beamlines', 'beamlines');
const owner = path('claim with the user name, as used in the lists of proposal members', {
  default: ['preferred_username'],
});
const groupClaim = path('claim with the groups of a user', { default: ['groups'] });
const roleMembers = {
  admin: groups('administrators'),
  staff: groups('staff'),
  service: groups('programs of the facility'),
  kiosk: groups('screens'),
} as const;
const roles = record({}, roleMembers, 'groups with more than the role user; the first match counts');

/** How the claims of an identity provider identify a user; every member with its value. */
export const claimMappingSchema = record(
  {
    owner,
    groups: groupClaim,
    proposals: proposals.whole,
    beamlines: beamlines.whole,
    roles: { ...roles, default: {} },
  },
  {},
  'mapping of the claims of the identity provider to name, role and proposals',
);
export type ClaimMapping = Described<typeof claimMappingSchema>;

/** The operator's configuration: absent members have their defaults. */
export const claimMappingRequestSchema = closed(
  record(
    {},
    { owner, groups: groupClaim, proposals: proposals.partial, beamlines: beamlines.partial, roles },
    'mapping of the claims of the identity provider to name, role and proposals',
  ),
);

/** The required claims of a user. */
export const claimedSchema = record({
  owner: principalId('name of the user'),
  proposals: namesOfPrincipal('proposals of the user'),
  beamlines: namesOfPrincipal('beamlines of the user'),
});
export type Claimed = Described<typeof claimedSchema>;
