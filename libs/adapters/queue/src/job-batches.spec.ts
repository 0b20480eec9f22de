import { JobBatches, type NewJob } from './job-batches';

const job = (name: string): NewJob => ({ name, data: {}, opts: {} });

/** Calls that end when the test says so. */
const calls = (): { made: string[][]; end: (error?: Error) => void; addAll: (jobs: NewJob[]) => Promise<void> } => {
  const made: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  return {
    made,
    end: (error) => ends.shift()?.(error),
    addAll: (jobs) =>
      new Promise((resolve, reject) => {
        made.push(jobs.map(({ name }) => name));
        ends.push((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      }),
  };
};

/** Longer than the pause between two calls. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('JobBatches', () => {
  it('sends the first job at once and the others together when it is in', async () => {
    const { made, end, addAll } = calls();
    const batches = new JobBatches(addAll);
    const added = ['a', 'b', 'c'].map((name) => batches.add(job(name)));
    expect(made).toEqual([['a']]);
    end();
    await pause();
    expect(made).toEqual([['a'], ['b', 'c']]);
    end();
    await Promise.all(added);
    await pause();
    void batches.add(job('d'));
    expect(made).toHaveLength(3);
  });

  it('fails the jobs of a call that failed, and no other', async () => {
    const { end, addAll } = calls();
    const batches = new JobBatches(addAll);
    const first = batches.add(job('a'));
    const second = batches.add(job('b'));
    end(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await pause();
    end();
    await expect(second).resolves.toBeUndefined();
  });

  it('makes no call larger than two hundred jobs, and leaves none behind', async () => {
    const { made, end, addAll } = calls();
    const batches = new JobBatches(addAll);
    const added = Array.from({ length: 402 }, (_, index) => batches.add(job(String(index))));
    for (let call = 0; call < 4; call += 1) {
      end();
      await pause();
    }
    await Promise.all(added);
    expect(made.map((names) => names.length)).toEqual([1, 200, 200, 1]);
    expect(new Set(made.flat()).size).toBe(402);
  });
});
