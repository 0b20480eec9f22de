import { changedSearch, groupOf, isFiltered, parseQuery, queryOf, readListSearch } from './list-search';

describe('the filters in an address', () => {
  it('are read back as they were written', () => {
    const search = { status: 'running', proposal: '007', text: 'a & b = "c" <ü>', cursor: '1:2' };
    expect(readListSearch(parseQuery(queryOf(search)))).toEqual(search);
  });

  it('that nobody knows are left out', () => {
    expect(readListSearch({ status: 'asleep', sort: 'random', colour: 'red', proposal: 7, text: '' })).toEqual({});
  });

  it('begin at the first page when they change', () => {
    expect(changedSearch({ status: 'running', cursor: '5' }, { proposal: 'mx1' })).toEqual({
      status: 'running',
      proposal: 'mx1',
    });
    expect(changedSearch({ status: 'running' }, { status: '' })).toEqual({});
  });

  it('with a text give up their order, which the API would refuse', () => {
    expect(changedSearch({ sort: 'oldest' }, { text: 'lyso' })).toEqual({ text: 'lyso' });
  });

  it('are counted without what has become of the sessions', () => {
    expect(groupOf({ proposal: 'mx1', batch: 'b', status: 'running', text: 'lyso', sort: 'oldest' })).toEqual({
      proposal: 'mx1',
      batch: 'b',
    });
  });

  it('tell whether anything is filtered', () => {
    expect([isFiltered({ sort: 'oldest', cursor: '1' }), isFiltered({ batch: 'b' })]).toEqual([false, true]);
  });
});
