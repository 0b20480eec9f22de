import { readQueuesSearch } from './queues-search';

it('reads which jobs an address shows, and passes over what it cannot mean', () => {
  const search = { queue: 'analyses', place: 'failed', order: 'newest', offset: '50', job: 'x-v1-w0' };
  expect(readQueuesSearch(search)).toEqual(search);
  expect(readQueuesSearch({ queue: 'mail', place: 'completed', order: 'title', offset: '-1', job: '' })).toEqual({});
});
