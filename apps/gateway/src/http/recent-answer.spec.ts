import { RecentAnswer } from './recent-answer';

describe('an answer that is good enough for a while', () => {
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

  it('is looked for once by all who ask within its time, and then again', async () => {
    const answers = recent();
    now = 1_000;
    expect(await Promise.all([answers.get(look('one')), answers.get(look('two'))])).toEqual(['one', 'one']);
    now = 1_099;
    expect(await answers.get(look('three'))).toBe('one');
    now = 1_100;
    expect(await answers.get(look('four'))).toBe('four');
    expect(looks).toEqual(['one', 'four']);
  });

  it('is looked for again where it is asked of something else', async () => {
    const answers = recent();
    expect([await answers.get(look('a'), 'A'), await answers.get(look('b'), 'B')]).toEqual(['a', 'b']);
  });

  it('that fails is not an answer for the next who asks', async () => {
    const answers = recent();
    await expect(answers.get(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await answers.get(look('back'))).toBe('back');
  });
});
