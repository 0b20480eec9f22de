import { readViews, withoutView, withView } from './saved-views';

describe('saved views of the list', () => {
  it('are read as they were saved, without unknown filters', () => {
    const views = withView([], ' Mine ', { submitter: 'ada', cursor: 'somewhere' });
    expect(views).toEqual([{ name: 'Mine', search: { submitter: 'ada' } }]);
    expect(readViews(JSON.stringify(views))).toEqual(views);
    const damaged = [{ name: 'x', search: { status: 'none', colour: 'red' } }, { name: 7 }, null, 'text'];
    expect(readViews(JSON.stringify(damaged))).toEqual([{ name: 'x', search: {} }]);
    expect([readViews(null), readViews('{'), readViews('7')]).toEqual([[], [], []]);
  });

  it('have unique names, and a limited number', () => {
    const views = withView(withView([], 'a', { status: 'failed' }), 'a', { status: 'running' });
    expect(views).toEqual([{ name: 'a', search: { status: 'running' } }]);
    expect(withoutView(views, 'a')).toEqual([]);
    let many = views;
    for (let number = 1; number <= 30; number += 1) many = withView(many, `view ${String(number)}`, {});
    expect([many.length, many.at(-1)?.name]).toEqual([20, 'view 30']);
  });
});
