import { adoptingOrphans } from './subreaper';

it('returns nothing if neither Perl nor Python is installed', () => {
  expect(adoptingOrphans({ PATH: '/nowhere' })).toEqual([]);
});
