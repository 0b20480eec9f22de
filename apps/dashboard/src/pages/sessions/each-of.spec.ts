import { eachOf, type Outcome } from './each-of';

describe('an action on many sessions', () => {
  it('reports each result, four at a time, despite failures', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => String(at));
    const ended = new Map<string, Outcome>();
    let [now, most] = [0, 0];
    const work = async (id: string): Promise<void> => {
      most = Math.max(most, (now += 1));
      await Promise.resolve();
      now -= 1;
      if (id === '3') throw new Error('it has ended');
    };
    await eachOf(ids, work, (id, outcome) => ended.set(id, outcome));
    expect([ended.size, most]).toEqual([10, 4]);
    expect([ended.get('3'), ended.get('9')]).toEqual([{ done: false, why: 'it has ended' }, { done: true }]);
  });
});
