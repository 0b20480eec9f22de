import { GroupedCalls } from './grouped-calls';

/** Groups that end when the test ends them. */
class Groups {
  readonly made: number[][] = [];
  private readonly ends: (() => void)[] = [];

  readonly all = async (group: readonly number[]): Promise<readonly number[]> => {
    this.made.push([...group]);
    await new Promise<void>((resolve) => this.ends.push(resolve));
    if (group.includes(13)) throw new Error('no 13');
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

  it('gathers a group for a while after the one before', async () => {
    const groups = new Groups();
    const calls = new GroupedCalls(groups.all, { largest: 3, pauseMs: 1 });
    const first = calls.call(1);
    await groups.end();
    await first;
    const answers = Promise.all([2, 3].map((one) => calls.call(one)));
    expect(groups.made).toEqual([[1]]);
    await groups.end();
    await expect(answers).resolves.toEqual([20, 30]);
    expect(groups.made).toEqual([[1], [2, 3]]);
  });

  it('makes those again one by one among which one is refused, and fails that one', async () => {
    const groups = new Groups();
    const isRefusal = (error: unknown): boolean => error instanceof Error && error.message === 'no 13';
    const calls = new GroupedCalls(groups.all, { largest: 3, isRefusal });
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
