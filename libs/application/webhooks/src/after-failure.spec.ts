import type { NotSent } from '@fleet/ports';
import { afterFailure } from './after-failure';

const patience = { firstAgainMs: 5_000, maxAttempts: 10, random: () => 1 };
const away: NotSent = { why: 'away', isGone: false, isTarget: true };
const refused: NotSent = { why: 'it answered 500', status: 500, isGone: false, isTarget: false };
const after = (attempts: number, sent: NotSent, failing = 0, random = 1) =>
  afterFailure({ attempts }, { failing }, sent, { ...patience, random: () => random });

describe('after a failed delivery', () => {
  it('retries after four times the previous delay, for about a day', () => {
    const tries = Array.from({ length: 9 }, (_, attempts) => after(attempts, refused).againInMs);
    expect(tries.map((ms) => Math.round(Number(ms) / 1000))).toEqual([5, 20, 80, 320, 1280, 5120, 20480, 21600, 21600]);
    expect(after(9, refused).againInMs).toBe('never');
  });

  it('spreads retries over half of that time', () => {
    expect([after(0, refused, 0, 0).againInMs, after(0, refused, 0, 0.5).againInMs]).toEqual([2500, 3750]);
  });

  it('pauses an unreachable target for ten minutes at most, but not after a single refused message', () => {
    expect([after(0, away).holdMs, after(3, away, 100).holdMs, after(3, refused, 100).holdMs]).toEqual([
      5_000, 600_000, 0,
    ]);
  });

  it('waits as long as the target requests, a day at most', () => {
    const asks = (retryAfterMs: number) => after(0, { ...refused, status: 503, isTarget: true, retryAfterMs });
    expect(asks(60_000)).toMatchObject({ againInMs: 60_000, holdMs: 60_000 });
    expect(asks(1_000).againInMs).toBe(5_000);
    expect(asks(9e9).againInMs).toBe(86_400_000);
  });

  it('never retries if the target is permanently gone', () => {
    expect(after(0, { ...refused, status: 410, isGone: true }).againInMs).toBe('never');
  });
});
