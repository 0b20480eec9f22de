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

it('leaves out empty fields, and fields that the role lacks', () => {
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

it("lists scopes only if some of the role's were removed", () => {
  expect(keyRequestOf({ ...draft, without: ['change', 'admin'] }).scopes).toEqual(['read', 'decide', 'submit']);
  expect(keyRequestOf({ ...draft, without: ['admin'] })).not.toHaveProperty('scopes');
});
