import { namesOfPrincipal, principalId } from './access';
import { closed, list, record, text, type Described, type JsonSchema } from '../schema/schema';

const path = (what: string, keywords: JsonSchema = {}) =>
  list(text(undefined, { minLength: 1, maxLength: 200 }), what, {
    minItems: 1,
    maxItems: 5,
    'x-allowed': 'the name of a claim, in a list; of one inside others each name, from the outside inwards',
    ...keywords,
  });
const groups = (what: string) =>
  list(text(undefined, { minLength: 1, maxLength: 200 }), `groups whose members are ${what}`, { maxItems: 100 });
const namesIn = (what: string, claim: string) => {
  const members = {
    claim: path(`where the ${what} are`, { default: [claim] }),
    prefix: text(`what entries begin with that name ${what}; it is taken off, and other entries say nothing`, {
      default: '',
      maxLength: 200,
    }),
  };
  return {
    partial: record({}, members, `the ${what} of somebody`),
    whole: { ...record(members, {}, `the ${what} of somebody`), default: { claim: [claim], prefix: '' } },
  };
};

const proposals = namesIn('proposals', 'proposals');
const beamlines = namesIn('beamlines', 'beamlines');
const owner = path('the name that somebody has here: that which the members of proposals are listed by', {
  default: ['preferred_username'],
});
const groupClaim = path('the groups of somebody', { default: ['groups'] });
const roleMembers = {
  admin: groups('administrators'),
  staff: groups('staff'),
  service: groups('programs of the facility'),
  kiosk: groups('screens'),
} as const;
const roles = record({}, roleMembers, 'groups that have more than the role user; the first that fits counts');

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
  'how the claims of a provider say who somebody is',
);
export type ClaimMapping = Described<typeof claimMappingSchema>;

/** The operator's configuration: absent members have their defaults. */
export const claimMappingRequestSchema = closed(
  record(
    {},
    { owner, groups: groupClaim, proposals: proposals.partial, beamlines: beamlines.partial, roles },
    'how the claims of a provider say who somebody is',
  ),
);

/** The required claims of a user. */
export const claimedSchema = record({
  owner: principalId('who it is'),
  proposals: namesOfPrincipal('proposals that they belong to'),
  beamlines: namesOfPrincipal('beamlines that they work at'),
});
export type Claimed = Described<typeof claimedSchema>;
