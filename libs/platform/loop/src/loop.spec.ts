import timers from 'node:timers/promises';
import { Loop } from './loop';

const longMs = 3_600_000;

/** A loop that counts its rounds, and the result of each. */
const aLoop = (found: readonly (boolean | Error)[]) => {
  const errors: unknown[] = [];
  const looks: number[] = [];
  let heard: () => void = () => undefined;
  const round = (): Promise<boolean> => {
    looks.push(looks.length + 1);
    heard();
    const what = found[looks.length - 1] ?? false;
    return what instanceof Error ? Promise.reject(what) : Promise.resolve(what);
  };
  const loop = new Loop(round, longMs, (error) => {
    errors.push(error);
  });
  const untilLooks = (count: number): Promise<void> =>
    new Promise((resolve) => {
      heard = () => {
        if (looks.length >= count) resolve();
      };
      heard();
    });
  return { loop, looks, errors, untilLooks };
};

describe('a loop', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('begins the next round at once while there is work, and then pauses', async () => {
    const { loop, looks, untilLooks } = aLoop([true, true, false]);
    loop.start();
    await untilLooks(3);
    await loop.stop();
    expect(looks).toEqual([1, 2, 3]);
  });

  it('begins a round at once when it is woken', async () => {
    const { loop, looks, untilLooks } = aLoop([]);
    loop.start();
    await untilLooks(1);
    loop.wake();
    await untilLooks(2);
    await loop.stop();
    expect(looks).toEqual([1, 2]);
  });

  it('remembers a wake-up during a round', async () => {
    const { loop, untilLooks } = aLoop([]);
    loop.start();
    loop.wake();
    await untilLooks(2);
    await loop.stop();
    expect(loop.isStopping).toBe(true);
  });

  it('reports an error, and continues', async () => {
    const away = new Error('the store is away');
    const { loop, errors, untilLooks } = aLoop([away]);
    loop.start();
    await untilLooks(1);
    loop.wake();
    await untilLooks(2);
    await loop.stop();
    expect(errors).toEqual([away]);
  });

  it('waits for the round in progress, which receives the stop signal', async () => {
    let ended = false;
    const round = (stopping: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        stopping.addEventListener('abort', () => {
          setImmediate(() => {
            ended = true;
            resolve();
          });
        });
      });
    const loop = new Loop(round, longMs, () => undefined);
    loop.start();
    await loop.stop();
    expect(ended).toBe(true);
  });

  it('pauses half to one and a half intervals', async () => {
    const random = jest.spyOn(Math, 'random');
    const timer = jest.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    random.mockReturnValueOnce(0).mockReturnValueOnce(0.999);
    const { loop, untilLooks } = aLoop([]);
    loop.start();
    await untilLooks(3);
    await loop.stop();
    expect(timer.mock.calls.slice(0, 2).map(([ms]) => ms)).toEqual([longMs / 2, longMs * 1.499]);
  });

  it('stops without having started', async () => {
    const { loop, looks } = aLoop([]);
    await loop.stop();
    expect(looks).toEqual([]);
  });
});
