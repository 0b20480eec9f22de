import { claimMappingSchema, type ClaimMapping } from '@fleet/contracts/access';
import { withDefaults } from '@fleet/contracts/schema';
import { principalOfClaims } from './principal-of-claims';

const mapping = (overrides: object = {}): ClaimMapping => withDefaults(claimMappingSchema, overrides) as ClaimMapping;
const ada = { sub: '5f2c', preferred_username: 'ada' };

describe('principalOfClaims', () => {
  it('never grants anything because a claim is missing', () => {
    expect(principalOfClaims(ada, mapping())).toMatchObject({
      principal: {
        id: 'ada',
        role: 'user',
        proposals: [],
        beamlines: [],
        scopes: ['read', 'decide', 'submit', 'change'],
      },
    });
    expect(principalOfClaims({ ...ada, groups: ['fleet-admins'] }, mapping())).toMatchObject({
      principal: { role: 'user' },
    });
  });

  it('reads role, proposals and beamlines from the configured claims', () => {
    const keycloak = mapping({
      groups: ['realm_access', 'roles'],
      proposals: { claim: ['groups'], prefix: '/proposals/' },
      beamlines: { claim: ['groups'], prefix: '/beamlines/' },
      roles: { staff: ['fleet-staff'], admin: ['fleet-admins'] },
    });
    const claims = {
      ...ada,
      realm_access: { roles: ['offline_access', 'fleet-staff'] },
      groups: ['/proposals/mx1', '/proposals/mx2', '/beamlines/i04', '/everybody', '/proposals/mx1'],
    };
    expect(principalOfClaims(claims, keycloak)).toMatchObject({
      principal: { role: 'staff', proposals: ['mx1', 'mx2'], beamlines: ['i04'] },
    });
  });

  it('gives a member of several groups the most powerful role, and a user no beamlines', () => {
    const rules = mapping({ roles: { kiosk: ['a'], service: ['b'], staff: ['c'], admin: ['d'] } });
    const roleOf = (...groups: readonly string[]): unknown => principalOfClaims({ ...ada, groups }, rules);
    expect(roleOf('a', 'b')).toMatchObject({ principal: { role: 'service' } });
    expect(roleOf('a', 'd', 'c')).toMatchObject({ principal: { role: 'admin' } });
    expect(principalOfClaims({ ...ada, beamlines: ['i04'] }, rules)).toMatchObject({ principal: { beamlines: [] } });
  });

  it('accepts a text as a list of one, and an empty one as an empty list', () => {
    expect(principalOfClaims({ ...ada, proposals: 'mx1' }, mapping())).toMatchObject({
      principal: { proposals: ['mx1'] },
    });
    for (const proposals of [null, '', []])
      expect(principalOfClaims({ ...ada, proposals }, mapping())).toMatchObject({ principal: { proposals: [] } });
  });

  it.each([
    ['no name', {}, 'The claim preferred_username (owner): is missing'],
    ['a name that is none', { preferred_username: 'a b' }, 'preferred_username (owner): "a b" is not allowed'],
    ['a name of another type', { preferred_username: 7 }, 'preferred_username (owner): must be'],
    ['every proposal', { ...ada, proposals: ['*'] }, 'proposals (proposals): "*" is not allowed'],
    ['a proposal that is a path', { ...ada, proposals: ['../mx1'] }, 'proposals (proposals): "../mx1" is not allowed'],
    ['a proposal that is a number', { ...ada, proposals: [1] }, 'proposals (proposals): must be'],
    ['proposals of another type', { ...ada, proposals: { mx1: true } }, 'proposals (proposals): must be'],
    ['a beamline that is none', { ...ada, beamlines: ['i 04'] }, 'beamlines (beamlines): "i 04" is not allowed'],
  ])('refuses %s, and names the claim', (_, claims, expected) => {
    const judged = principalOfClaims(claims, mapping());
    expect('mistakes' in judged ? judged.mistakes.join(' ') : judged).toContain(expected);
  });

  it('uses an e-mail address only if it is verified', () => {
    const rules = mapping({ owner: ['email'] });
    const email = 'ada@example.org';
    expect(principalOfClaims({ email, email_verified: true }, rules)).toMatchObject({ principal: { id: email } });
    for (const email_verified of [false, undefined, 'true'])
      expect(principalOfClaims({ email, email_verified }, rules)).toMatchObject({
        mistakes: [expect.stringContaining('email_verified')],
      });
  });

  it('ignores members that every object inherits', () => {
    expect(principalOfClaims(ada, mapping({ owner: ['constructor', 'name'] }))).toMatchObject({
      mistakes: [expect.stringContaining('is missing')],
    });
  });
});
