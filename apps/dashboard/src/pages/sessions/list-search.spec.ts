import { changedSearch, groupOf, isFiltered, parseQuery, queryOf, readListSearch, sortedSearch } from './list-search';

describe('the filters in a URL', () => {
  it('are read as they were written', () => {
    const search = { status: 'running', proposal: '007', text: 'a & b = "c" <ü>', cursor: '1:2' };
    expect(readListSearch(parseQuery(queryOf(search)))).toEqual(search);
  });

  it('are dropped if unknown', () => {
    expect(readListSearch({ status: 'asleep', sort: 'random', colour: 'red', proposal: 7, text: '' })).toEqual({});
  });

  it('reset the page when they change', () => {
    expect(changedSearch({ status: 'running', cursor: '5' }, { proposal: 'mx1' })).toEqual({
      status: 'running',
      proposal: 'mx1',
    });
    expect(changedSearch({ status: 'running' }, { status: '' })).toEqual({});
  });

  it('keep their order with a text', () => {
    expect(changedSearch({ sort: 'created' }, { text: 'lyso' })).toEqual({ sort: 'created', text: 'lyso' });
  });

  it('sort by a column upwards, downwards and not at all', () => {
    const upwards = sortedSearch({ proposal: 'mx1', sort: 'title', cursor: '5' }, 'rFree');
    const downwards = sortedSearch(upwards, 'rFree');
    expect([upwards, downwards, sortedSearch(downwards, 'rFree')]).toEqual([
      { proposal: 'mx1', sort: 'rFree' },
      { proposal: 'mx1', sort: '-rFree' },
      { proposal: 'mx1' },
    ]);
  });

  it('are counted without the outcome of the sessions', () => {
    expect(groupOf({ proposal: 'mx1', batch: 'b', status: 'running', text: 'lyso', sort: 'created' })).toEqual({
      proposal: 'mx1',
      batch: 'b',
    });
  });

  it('report whether any is set', () => {
    expect([isFiltered({ sort: 'created', cursor: '1' }), isFiltered({ batch: 'b' })]).toEqual([false, true]);
  });
});
