import { setImmediate as soon } from 'node:timers/promises';
import type { StepResult } from '@fleet/contracts/queues';
import { ModelLane } from './model-lane';

const advanced: StepResult = { outcome: 'advanced' };

/** A step that calls a model, and ends when the test ends it. */
const asking = (lane: ModelLane) => {
  let [resolve, reject]: [(result: StepResult) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<StepResult>((...both) => {
    [resolve, reject] = both;
  });
  const failures: unknown[] = [];
  const failed = (error: unknown): Promise<void> => Promise.resolve(void failures.push(error));
  const take = async (): Promise<StepResult> => {
    await soon();
    lane.enter();
    return promise;
  };
  return { result: lane.run({ take, failed }), resolve, reject, failures };
};

describe('the lane of steps that call models', () => {
  it('returns a step without a model call unchanged, including its failure', async () => {
    const lane = new ModelLane();
    const failed = (): Promise<never> => Promise.reject(new Error('unreported'));
    expect(await lane.run({ take: () => Promise.resolve(advanced), failed })).toEqual(advanced);
    await expect(lane.run({ take: () => Promise.reject(new Error('no')), failed })).rejects.toThrow('no');
  });

  it('releases the job of a step that calls a model, and reports its failure', async () => {
    const lane = new ModelLane();
    const [one, other] = [asking(lane), asking(lane)];
    expect(await Promise.all([one.result, other.result])).toEqual([{ outcome: 'waiting' }, { outcome: 'waiting' }]);
    one.resolve(advanced);
    other.reject(new Error('the store is away'));
    await lane.beforeApplicationShutdown();
    expect([one.failures, other.failures]).toEqual([[], [new Error('the store is away')]]);
  });

  it('is bounded: further steps keep their slots', async () => {
    const lane = new ModelLane();
    const many = Array.from({ length: 64 }, () => asking(lane));
    await Promise.all(many.map(({ result }) => result));
    const beyond = asking(lane);
    beyond.resolve(advanced);
    expect(await beyond.result).toEqual(advanced);
    for (const { resolve } of many) resolve(advanced);
    await lane.beforeApplicationShutdown();
    expect(await asking(lane).result).toEqual({ outcome: 'waiting' });
  });
});
