import { adoptingOrphans } from './subreaper';

it('says nothing where neither Perl nor Python is found', () => {
  expect(adoptingOrphans({ PATH: '/nowhere' })).toEqual([]);
});
