import { isConfigError } from './config.error';
import { groupOfProposal, proposalGroupsOf } from './proposal-groups';

const groupsOf = (text: string) => proposalGroupsOf({ proposalGroups: text });
const refusal = (text: string): string => {
  try {
    groupsOf(text);
  } catch (error) {
    if (isConfigError(error)) return error.message;
    throw error;
  }
  return '';
};

describe('groups of proposals', () => {
  it('match proposals by name or prefix; the first match counts', () => {
    const groups = groupsOf('{"users": ["mx*"], "in-house": ["nt1", "mx1*"]}');
    expect(['mx1', 'nt1', 'nt12', 'cm1'].map((one) => groupOfProposal(groups, one))).toEqual([
      'users',
      'in-house',
      undefined,
      undefined,
    ]);
    expect(groupsOf('{}')).toEqual([]);
  });

  it('are rejected with the variable, the path and what is allowed', () => {
    expect(refusal('{')).toContain('FLEET_PROPOSAL_GROUPS: is not JSON');
    expect(refusal('{"other": ["mx*"]}')).toMatch(/FLEET_PROPOSAL_GROUPS: .*other.*not `other`/s);
    expect(refusal('{"users": ["*mx"]}')).toMatch(/users.*a proposal, or its beginning and \*/s);
    expect(refusal('{"users": []}')).toContain('users');
  });
});
