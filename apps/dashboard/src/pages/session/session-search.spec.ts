import { readSessionSearch } from './session-search';

it('reads an operation and a view from the URL', () => {
  const search = { view: 'trace', op: '12.1.3', zoom: 'a1' };
  expect(readSessionSearch(search)).toEqual(search);
});

it.each(['0', '1.', '1.2.3.4', 'b1', '1.x', "1'", '9'.repeat(9), 7])('ignores %j as an operation', (op) => {
  expect(readSessionSearch({ op, zoom: op })).toEqual({});
});
