import { readQueuesSearch } from './queues-search';

it('reads the job filter from a URL, and ignores invalid values', () => {
  const search = { queue: 'analyses', place: 'failed', order: 'newest', offset: '50', job: 'x-v1-w0' };
  expect(readQueuesSearch(search)).toEqual(search);
  expect(readQueuesSearch({ queue: 'mail', place: 'completed', order: 'title', offset: '-1', job: '' })).toEqual({});
});
