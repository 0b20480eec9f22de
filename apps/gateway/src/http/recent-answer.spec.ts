import { RecentAnswer } from './recent-answer';

describe('a cached answer', () => {
  let now = 0;
  const looks: string[] = [];
  const recent = (): RecentAnswer<string> => new RecentAnswer({ now: () => now }, 100);
  const look = (answer: string) => () => {
    looks.push(answer);
    return Promise.resolve(answer);
  };

  beforeEach(() => {
    now = 1_000;
    looks.length = 0;
  });

  it('is queried once for all callers within its lifetime, and then again', async () => {
    const answers = recent();
    now = 1_000;
    expect(await Promise.all([answers.get(look('one')), answers.get(look('two'))])).toEqual(['one', 'one']);
    now = 1_099;
    expect(await answers.get(look('three'))).toBe('one');
    now = 1_100;
    expect(await answers.get(look('four'))).toBe('four');
    expect(looks).toEqual(['one', 'four']);
  });

  it('is queried again for another key', async () => {
    const answers = recent();
    expect([await answers.get(look('a'), 'A'), await answers.get(look('b'), 'B')]).toEqual(['a', 'b']);
  });

  it('is not cached after a failure', async () => {
    const answers = recent();
    await expect(answers.get(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await answers.get(look('back'))).toBe('back');
  });
});
