import type { Principal } from '@fleet/contracts/access';
import { actions, principalRoles, ruleOf, scopesOfRole } from '@fleet/contracts/route';
import { anyone, isWithinReach, may, mayBegin, reachOf, refusalOf } from './may';

const who = (role: Principal['role'], more: Partial<Principal> = {}): Principal => ({
  id: 'ada',
  role,
  proposals: ['mx1'],
  beamlines: ['i04'],
  scopes: scopesOfRole(role),
  ...more,
});
const own = { proposal: 'mx1', beamline: '' };
const foreign = { proposal: 'mx2', beamline: 'i03' };
const atBeamline = { proposal: 'mx2', beamline: 'i04' };

describe('may', () => {
  it.each(principalRoles.filter((role) => role !== 'admin'))(
    'denies every %s the objects of another proposal',
    (role) => {
      const sessionActions = actions.filter((action) => ruleOf(action).on !== 'service');
      for (const action of sessionActions) expect(refusalOf(who(role), action, foreign)).toBe('reach');
      expect(may(who(role), 'session.read', own)).toBe(role !== 'kiosk');
    },
  );

  it('allows an administrator everything', () => {
    for (const action of actions) {
      expect(may(who('admin'), action, foreign)).toBe(true);
      expect(may(anyone, action, foreign)).toBe(true);
    }
    expect(reachOf(who('admin'))).toBe('all');
  });

  it.each(principalRoles.filter((role) => role !== 'admin'))(
    "denies every %s administration, whatever the key's scopes",
    (role) => {
      const key = who(role, { scopes: ['read', 'submit', 'change', 'decide', 'admin'] });
      for (const action of ['admin.read', 'admin.change', 'keys.read', 'keys.change'] as const)
        expect(refusalOf(key, action)).toBe('role');
    },
  );

  it('allows staff, screens and services the sessions of their beamlines, but not users', () => {
    for (const role of ['staff', 'kiosk', 'service'] as const) expect(isWithinReach(who(role), atBeamline)).toBe(true);
    expect(isWithinReach(who('user'), atBeamline)).toBe(false);
    expect(reachOf(who('user'))).toEqual([{ proposal: 'mx1' }]);
    expect(reachOf(who('staff'))).toEqual([{ proposal: 'mx1' }, { beamline: 'i04' }]);
  });

  it('does not match an empty beamline', () => {
    expect(may(who('staff', { beamlines: [''] }), 'session.read', { proposal: 'mx2', beamline: '' })).toBe(false);
  });

  describe('for new objects', () => {
    const begins = (principal: Principal, resource: { proposal: string; beamline: string }): Promise<boolean> =>
      mayBegin(principal, 'session.submit', resource, (proposal) => Promise.resolve(proposal === 'mx3' ? ['i04'] : []));
    const atOurs = { proposal: 'mx3', beamline: 'i04' };

    it('counts a beamline if the facility confirms it, but not because a submitter claims it', async () => {
      for (const role of ['staff', 'service'] as const) {
        expect(await begins(who(role), atOurs)).toBe(true);
        expect(await begins(who(role), atBeamline)).toBe(false);
        expect(await begins(who(role), { proposal: 'mx3', beamline: 'i03' })).toBe(false);
        expect(await begins(who(role), { proposal: 'mx3', beamline: '' })).toBe(false);
        expect(await begins(who(role, { beamlines: ['i03'] }), atOurs)).toBe(false);
        expect(await begins(who(role), { proposal: 'mx1', beamline: 'i03' })).toBe(true);
      }
      for (const role of ['user', 'kiosk'] as const) expect(await begins(who(role), atOurs)).toBe(false);
      expect(await begins(who('staff', { scopes: ['read'] }), atOurs)).toBe(false);
      expect(await begins(who('admin'), foreign)).toBe(true);
    });

    it('accepts everything at its beamlines from a service with a key for every proposal, and from no other principal', async () => {
      const daq = who('service', { proposals: ['*'] });
      expect(await begins(daq, atBeamline)).toBe(true);
      expect(await begins(daq, foreign)).toBe(false);
      expect(await begins(daq, { proposal: 'mx2', beamline: '' })).toBe(false);
      expect(reachOf(daq)).toEqual([{ beamline: 'i04' }]);
      expect(await begins(who('staff', { proposals: ['*'] }), atBeamline)).toBe(false);
    });
  });

  it('allows a screen only what a wall shows', () => {
    const allowed = actions.filter((action) => may(who('kiosk'), action, own));
    expect(allowed).toEqual(['service.about', 'wall.read']);
  });

  it('restricts a key to its scopes', () => {
    const reader = who('staff', { scopes: ['read'] });
    expect(refusalOf(reader, 'session.submit', own)).toBe('scope');
    expect(may(reader, 'session.download', own)).toBe(true);
    expect(may(who('admin', { scopes: ['read'] }), 'keys.change')).toBe(false);
  });
});
