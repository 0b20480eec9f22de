import { LookingLoop } from './looking-loop';

const longMs = 3_600_000;

/** A loop whose looks are counted, and what each finds. */
const aLoop = (found: readonly boolean[]) => {
  const looks: number[] = [];
  let heard: () => void = () => undefined;
  const loop: LookingLoop = new LookingLoop(() => {
    looks.push(looks.length + 1);
    heard();
    return Promise.resolve(found[looks.length - 1] ?? false);
  }, longMs);
  const untilLooks = (count: number): Promise<void> =>
    new Promise((resolve) => {
      heard = () => {
        if (looks.length >= count) resolve();
      };
      heard();
    });
  return { loop, looks, untilLooks };
};

describe('a loop that looks for work', () => {
  it('looks again at once while there is some, and then rests', async () => {
    const { loop, looks, untilLooks } = aLoop([true, true, false]);
    loop.start();
    await untilLooks(3);
    await loop.stop();
    expect(looks).toEqual([1, 2, 3]);
  });

  it('looks at once where it is woken', async () => {
    const { loop, looks, untilLooks } = aLoop([]);
    loop.start();
    await untilLooks(1);
    loop.wake();
    await untilLooks(2);
    await loop.stop();
    expect(looks).toEqual([1, 2]);
  });

  it('hears who wakes it during a look', async () => {
    const { loop, untilLooks } = aLoop([]);
    loop.start();
    loop.wake();
    await untilLooks(2);
    await loop.stop();
    expect(loop.isStopping).toBe(true);
  });

  it('stops without having started', async () => {
    const { loop, looks } = aLoop([]);
    await loop.stop();
    expect(looks).toEqual([]);
  });
});
