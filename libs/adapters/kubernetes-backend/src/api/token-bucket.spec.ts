import { ManualClock } from '@fleet/testing';
import { TokenBucket } from './token-bucket';

describe('the rate limit of calls', () => {
  const aBucket = () => {
    const clock = new ManualClock();
    return { clock, bucket: new TokenBucket({ perSecond: 10, burst: 3, clock }) };
  };

  it('allows a burst at once, then one call per tenth of a second', () => {
    const { bucket } = aBucket();
    expect([1, 2, 3, 4, 5].map(() => bucket.take())).toEqual([0, 0, 0, 100, 200]);
  });

  it('refills with time, up to the burst', () => {
    const { bucket, clock } = aBucket();
    for (let call = 0; call < 3; call += 1) bucket.take();
    clock.forward(3_600_000);
    expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([0, 0, 0, 100]);
  });

  it('reports the waiting time without using a token', () => {
    const { bucket } = aBucket();
    expect(bucket.waitMs()).toBe(0);
    for (let call = 0; call < 4; call += 1) bucket.take();
    expect([bucket.waitMs(), bucket.waitMs()]).toEqual([200, 200]);
  });

  it('neither stops nor bursts when the clock is set back', () => {
    const { bucket, clock } = aBucket();
    for (let call = 0; call < 3; call += 1) bucket.take();
    clock.forward(-86_400_000);
    expect(bucket.take()).toBe(100);
    clock.forward(100);
    expect(bucket.take()).toBe(100);
  });
});
