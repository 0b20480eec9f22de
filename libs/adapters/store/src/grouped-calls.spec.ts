import { GroupedCalls } from './grouped-calls';

/** Groups that end when the test ends them. */
class Groups {
  readonly made: number[][] = [];
  private readonly ends: (() => void)[] = [];

  readonly all = async (group: readonly number[]): Promise<readonly number[]> => {
    this.made.push([...group]);
    await new Promise<void>((resolve) => this.ends.push(resolve));
    if (group.includes(13)) throw Object.assign(new Error('no 13'), { code: '22003' });
    if (group.includes(0)) throw new Error('away');
    return group.map((one) => one * 10);
  };

  async end(): Promise<void> {
    while (this.ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    this.ends.shift()?.();
  }
}

describe('GroupedCalls', () => {
  it('sends the first call at once and the others together, in groups up to the maximum size', async () => {
    const groups = new Groups();
    const calls = new GroupedCalls(groups.all, { largest: 3 });
    const answers = Promise.all([1, 2, 3, 4, 5].map((one) => calls.call(one)));
    for (let group = 0; group < 3; group += 1) await groups.end();
    await expect(answers).resolves.toEqual([10, 20, 30, 40, 50]);
    expect(groups.made).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('makes calls of one group only with the same key, and keys take turns', async () => {
    const groups = new Groups();
    const keyOf = (one: number): string => (one % 2 === 0 ? 'even' : 'odd');
    const calls = new GroupedCalls(groups.all, { largest: 2, keyOf });
    const answers = Promise.all([1, 2, 3, 4, 5, 6].map((one) => calls.call(one)));
    for (let group = 0; group < 4; group += 1) await groups.end();
    await expect(answers).resolves.toEqual([10, 20, 30, 40, 50, 60]);
    expect(groups.made).toEqual([[1], [2, 4], [3, 5], [6]]);
  });

  it('makes those again one by one among which the database refuses one, and fails that one', async () => {
    const groups = new Groups();
    const calls = new GroupedCalls(groups.all, { largest: 3 });
    const answers = Promise.allSettled([1, 2, 13, 4].map((one) => calls.call(one)));
    for (let group = 0; group < 5; group += 1) await groups.end();
    const settled = await answers;
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(groups.made).toEqual([[1], [2, 13, 4], [2], [13], [4]]);
  });

  it('fails all calls of a group that may have been executed', async () => {
    const groups = new Groups();
    const calls = new GroupedCalls(groups.all, { largest: 3 });
    const answers = Promise.allSettled([1, 0, 2].map((one) => calls.call(one)));
    await groups.end();
    await groups.end();
    const settled = await answers;
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(groups.made).toEqual([[1], [0, 2]]);
  });
});
