import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { PoolThread } from './pool-thread';

const script = { file: join(__dirname, 'fixtures/thread.mjs'), execArgv: [] };
const limits = { timeoutMs: 100, memoryMib: 64 };

interface Task {
  readonly act: 'slow';
  readonly value: number;
}
/** Longer than any check after it. */
const long: Task = { act: 'slow', value: 600 };

/** Reports a scripted working time of a thread, in milliseconds. */
const saysItWorked = (said: (look: number) => Promise<number>) => {
  let looks = 0;
  return jest.spyOn(Worker.prototype, 'cpuUsage').mockImplementation(() => {
    const ms = said(looks);
    looks += 1;
    return ms.then((user) => ({ user: user * 1000, system: 0 }));
  });
};

/** A thread with the long task, and the reason of its end. */
const busy = async (): Promise<{ readonly thread: PoolThread<Task, unknown>; readonly ended: Promise<string> }> => {
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((done) => {
    isReady = done;
  });
  let thread: PoolThread<Task, unknown> | undefined;
  const ended = new Promise<string>((done) => {
    const onEnd = ({ reason }: { readonly reason: string }): void => done(reason);
    thread = new PoolThread<Task, unknown>(script, limits, { onReady: isReady, onReply: () => undefined, onEnd });
  });
  if (thread === undefined) throw new Error('a promise has not run its executor');
  await ready;
  thread.give(long);
  return { thread, ended };
};

describe('a thread with a task', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['held', 'works on slowly, and is given its time five times again', (look: number) => 5_000 + look * 2, 7],
    ['time', 'works hard from when it first says how much', (look: number) => 5_000 + look * 60, 3],
  ])('that does not report its working time at first ends as %s if it %s', async (reason, _, said, looks) => {
    const outcome = saysItWorked((look) =>
      look === 0 ? Promise.reject(new Error('no answer')) : Promise.resolve(said(look)),
    );
    const { ended } = await busy();
    expect(await ended).toBe(reason);
    expect(outcome).toHaveBeenCalledTimes(looks);
  });

  it('is not checked any longer once it is stopped', async () => {
    let say: (ms: number) => void = () => undefined;
    let isAsked: () => void = () => undefined;
    const askedAgain = new Promise<void>((done) => {
      isAsked = done;
    });
    saysItWorked((look) => {
      if (look === 0) return Promise.resolve(0);
      isAsked();
      return new Promise((done) => {
        say = done;
      });
    });
    const { thread } = await busy();
    await askedAgain;
    const armed = jest.spyOn(globalThis, 'setTimeout');
    thread.stop();
    say(2);
    await setImmediate();
    expect(armed).not.toHaveBeenCalled();
    await thread.gone;
  });
});
