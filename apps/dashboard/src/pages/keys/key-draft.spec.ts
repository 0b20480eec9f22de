import { keyRequestOf, type KeyDraft } from './key-draft';

const draft: KeyDraft = {
  owner: ' ada ',
  role: 'staff',
  label: '',
  proposals: 'mx1, mx2;mx3',
  beamlines: 'i04 i24',
  without: [],
  days: '',
};

it('leaves out what was not said, and what its role has none of', () => {
  const where = { proposals: ['mx1', 'mx2', 'mx3'], beamlines: ['i04', 'i24'] };
  expect(keyRequestOf(draft)).toEqual({ owner: 'ada', role: 'staff', ...where });
  expect(keyRequestOf({ ...draft, role: 'user' })).toEqual({ owner: 'ada', role: 'user', proposals: where.proposals });
  expect(keyRequestOf({ ...draft, role: 'admin', label: ' desk ', days: '30' })).toEqual({
    owner: 'ada',
    role: 'admin',
    label: 'desk',
    expires_in_days: 30,
  });
});

it('names scopes only where something was taken away of what the role may', () => {
  expect(keyRequestOf({ ...draft, without: ['change', 'admin'] }).scopes).toEqual(['read', 'decide', 'submit']);
  expect(keyRequestOf({ ...draft, without: ['admin'] })).not.toHaveProperty('scopes');
});
