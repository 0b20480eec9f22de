import { JobBatches, type NewJob } from './job-batches';

const job = (name: string): NewJob => ({ name, data: {}, opts: {} });

type EndCall = (error?: Error) => void;

/** Calls that end when the test ends them. */
class Calls {
  readonly made: string[][] = [];
  private readonly ends: EndCall[] = [];
  private heard: () => void = () => undefined;

  readonly addAll = (jobs: NewJob[]): Promise<void> =>
    new Promise((resolve, reject) => {
      this.made.push(jobs.map(({ name }) => name));
      this.ends.push((error) => {
        if (error === undefined) resolve();
        else reject(error);
      });
      this.heard();
    });

  /** Ends the oldest call in progress; waits for one if there is none yet. */
  async end(error?: Error): Promise<void> {
    while (this.ends.length === 0) await new Promise<void>((resolve) => (this.heard = resolve));
    this.ends.shift()?.(error);
  }
}

describe('JobBatches', () => {
  it('sends the first job at once and the others together when that call has ended', async () => {
    const calls = new Calls();
    const batches = new JobBatches(calls.addAll);
    const added = ['a', 'b', 'c'].map((name) => batches.add(job(name)));
    expect(calls.made).toEqual([['a']]);
    await calls.end();
    await calls.end();
    await Promise.all(added);
    expect(calls.made).toEqual([['a'], ['b', 'c']]);
    const last = batches.add(job('d'));
    await calls.end();
    await last;
    expect(calls.made).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('fails only the jobs of a failed call', async () => {
    const calls = new Calls();
    const batches = new JobBatches(calls.addAll);
    const first = batches.add(job('a'));
    const second = batches.add(job('b'));
    await calls.end(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await calls.end();
    await expect(second).resolves.toBeUndefined();
  });

  it('makes no call larger than two hundred jobs, and leaves none behind', async () => {
    const calls = new Calls();
    const batches = new JobBatches(calls.addAll);
    const added = Array.from({ length: 402 }, (_, index) => batches.add(job(String(index))));
    for (let call = 0; call < 4; call += 1) await calls.end();
    await Promise.all(added);
    expect(calls.made.map((names) => names.length)).toEqual([1, 200, 200, 1]);
    expect(new Set(calls.made.flat()).size).toBe(402);
  });
});
